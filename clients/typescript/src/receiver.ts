import { type DescMessage, type MessageShape, fromBinary } from "@bufbuild/protobuf";
import { type CloseReason, CloseReasons } from "@playchat/core";
import { type Emitter, type Link, type Packet, type SilenceProbe, encodePacket, heartbeatPacketId } from "@playchat/core/parts";
import { ChatError } from "./errors.js";
import type { ChatEvents } from "./events.js";
import { SCloseNtfSchema, SNoticeNtfSchema } from "./gen/connection_pb.js";
import { SRoomEnteredNtfSchema } from "./gen/device_pb.js";
import { SDirectChatNtfSchema, SDirectSentNtfSchema } from "./gen/direct_pb.js";
import { ErrorCode, SErrorNtfSchema } from "./gen/error_pb.js";
import { SLoginResSchema } from "./gen/login_pb.js";
import { PacketId } from "./gen/packets_pb.js";
import {
    type SJoinRoomNtf, type SMessageEditedNtf, type SReactionNtf, type SRoomChatNtf, SCreateRoomResSchema, SInvitedNtfSchema,
    SJoinRoomNtfSchema, SJoinRoomResSchema, SLeaveRoomAckSchema, SMessageEditedNtfSchema, SReactionNtfSchema, SReportNtfSchema,
    SRoomChatNtfSchema, SRoomLeftNtfSchema, SRoomStateNtfSchema, STypingNtfSchema,
} from "./gen/room_pb.js";
import type { LoginState } from "./login.js";
import type { ChatRequests } from "./pending.js";
import type { RoomTracker } from "./rooms.js";

// Of the rooms that the client enters again: what comes between the answers to its joins and the end of the restart.
const maxHeld = 10_000;

const noBytes = new Uint8Array();

/** What has its place in the order of a room. */
type Ordered = SRoomChatNtf | SJoinRoomNtf | SMessageEditedNtf | SReactionNtf;

/**
 * Takes the packets of the server one after the other: answers complete their requests, the rest becomes events.
 *
 * An answer changes the client's state here and not where it is awaited: the next packet builds on it, and an answer whose request was
 * given up changes the state all the same.
 */
export class PacketReceiver {
    #held: Ordered[] | undefined; // what rooms say, while it is held back

    constructor(
        private readonly pending: ChatRequests,
        private readonly rooms: RoomTracker,
        private readonly login: LoginState,
        private readonly probe: SilenceProbe,
        private readonly events: Emitter<ChatEvents>,
        private readonly moveTo: (link: Link, endpoint: string) => boolean,
    ) {}

    onPacket(link: Link, packet: Packet): void {
        try {
            this.#dispatch(link, packet);
        } catch (error) {
            // The events catch what handlers throw, so this is a payload that is not the message its packet id names.
            console.error(`Malformed packet ${packet.id}.`, error);
            link.abort(CloseReasons.ProtocolViolation);
        }
    }

    /** Holds back what rooms say from now on, and forgets what was held before. */
    holdRooms(): void {
        this.#held = [];
    }

    /** Raises what was held back, in its order. */
    releaseRooms(): void {
        const held = this.#held ?? [];
        this.#held = undefined;
        for (const message of held) {
            this.#see(message);
        }
    }

    /** Raises messages that were read from a room's history: they are outside of the chain of sequences. */
    raise(messages: readonly SRoomChatNtf[]): void {
        for (const message of messages) {
            this.events.emit("message", { message, missedBefore: 0 });
        }
    }

    #dispatch(link: Link, { id, requestId, payload }: Packet): void {
        const read = <T extends DescMessage>(schema: T): MessageShape<T> => fromBinary(schema, payload);
        switch (id) {
            case heartbeatPacketId:
                if (requestId !== 0) {
                    link.send(encodePacket(heartbeatPacketId, 0, noBytes));
                }
                return;
            case PacketId.S_HEARTBEAT_NTF:
                sendHeartbeat(link);
                return;
            case PacketId.S_ROOM_CHAT_NTF:
                this.#take(read(SRoomChatNtfSchema));
                return;
            case PacketId.S_DIRECT_CHAT_NTF:
                this.events.emit("direct", { message: read(SDirectChatNtfSchema) });
                return;
            case PacketId.S_DIRECT_SENT_NTF:
                this.events.emit("directSent", { message: read(SDirectSentNtfSchema) });
                return;
            case PacketId.S_JOIN_ROOM_NTF:
                this.#take(read(SJoinRoomNtfSchema));
                return;
            case PacketId.S_MESSAGE_EDITED_NTF:
                this.#take(read(SMessageEditedNtfSchema));
                return;
            case PacketId.S_REACTION_NTF:
                this.#take(read(SReactionNtfSchema));
                return;
            case PacketId.S_TYPING_NTF: {
                const { roomId, playerId } = read(STypingNtfSchema);
                this.events.emit("typing", { roomId, playerId });
                return;
            }
            case PacketId.S_ROOM_LEFT_NTF: {
                const { roomId, message } = read(SRoomLeftNtfSchema);
                this.rooms.leave(roomId);
                this.events.emit("roomLeft", { roomId, message });
                return;
            }
            case PacketId.S_INVITED_NTF: {
                const { membership, by } = read(SInvitedNtfSchema);
                if (membership !== undefined) {
                    this.events.emit("invited", { membership, by });
                }
                return;
            }
            case PacketId.S_REPORT_NTF: {
                const { report } = read(SReportNtfSchema);
                if (report !== undefined) {
                    this.events.emit("reported", { report });
                }
                return;
            }
            case PacketId.S_ROOM_ENTERED_NTF: {
                const { roomId, name } = read(SRoomEnteredNtfSchema);
                this.events.emit("roomEntered", { roomId, name });
                return;
            }
            case PacketId.S_ROOM_STATE_NTF: {
                const state = read(SRoomStateNtfSchema);
                if (this.rooms.seeState(state)) {
                    this.events.emit("roomState", { roomId: state.roomId });
                }
                return;
            }
            case PacketId.S_CLOSE_NTF: {
                const farewell = read(SCloseNtfSchema);
                link.expectClose(farewell.reason as number as CloseReason, farewell.message, farewell.retryAfterMs, farewell.endpoint);
                return;
            }
            case PacketId.S_NOTICE_NTF:
                this.events.emit("notice", { code: ErrorCode.NONE, message: read(SNoticeNtfSchema).message, packetId: id as PacketId });
                return;
            case PacketId.S_ERROR_NTF: {
                const error = read(SErrorNtfSchema);
                if (requestId === 0) {
                    this.events.emit("notice", { code: error.code, message: error.message, packetId: error.packetId as PacketId });
                } else if (error.code !== ErrorCode.REDIRECT || !this.pending.redirect(requestId) || !this.moveTo(link, error.endpoint)) {
                    this.pending.get(requestId)?.fail(new ChatError(error.code, error.message, error.retryAfterMs, error.endpoint));
                }
                return;
            }
            case PacketId.S_LOGIN_RES:
                this.login.loggedIn(read(SLoginResSchema));
                this.probe.watch(link);
                break;
            case PacketId.S_CREATE_ROOM_RES:
                this.rooms.enter(read(SCreateRoomResSchema));
                break;
            case PacketId.S_JOIN_ROOM_RES:
                this.rooms.enter(read(SJoinRoomResSchema));
                break;
            case PacketId.S_LEAVE_ROOM_ACK:
                this.rooms.leave(read(SLeaveRoomAckSchema).roomId);
                break;
        }
        this.#complete(link, id, requestId, payload);
    }

    // A packet that nothing knows is of a newer server and is ignored; a request that is not found was given up.
    #complete(link: Link, id: number, requestId: number, payload: Uint8Array): void {
        const request = this.pending.get(requestId);
        if (request?.answerId === id) {
            request.complete(payload);
        } else if (request !== undefined && PacketId[id] !== undefined) {
            link.abort(CloseReasons.ProtocolViolation);
        }
    }

    #take(message: Ordered): void {
        if (this.#held === undefined) {
            this.#see(message);
        } else if (this.#held.length < maxHeld) {
            this.#held.push(message); // beyond that, previousSequence of the next one tells that some are missing
        }
    }

    #see(message: Ordered): void {
        if (message.$typeName === "playchat.SRoomChatNtf") {
            this.events.emit("message", { message, missedBefore: this.rooms.seeChat(message) });
            return;
        }
        if (message.$typeName === "playchat.SMessageEditedNtf") {
            this.events.emit("edited", { edit: message, missedBefore: this.rooms.seeChange(message) });
            return;
        }
        if (message.$typeName === "playchat.SReactionNtf") {
            this.events.emit("reaction", { reaction: message, missedBefore: this.rooms.seeChange(message) });
            return;
        }
        const missedBefore = this.rooms.seeJoin(message);
        // The application has the answer to its own join.
        if (message.member !== undefined && message.member.playerId !== this.login.answer?.playerId) {
            const returned = this.rooms.takeReturn(message.roomId, message.member.playerId);
            this.events.emit("memberJoined", { roomId: message.roomId, member: message.member, missedBefore, returned });
        }
    }
}

export function sendHeartbeat(link: Link): void {
    link.send(encodePacket(PacketId.C_HEARTBEAT_NTF, 0, noBytes));
}
