import type { ClosedEvent, ReconnectingEvent } from "@playchat/core";
import type { SDirectChatNtf, SDirectSentNtf } from "./gen/direct_pb.js";
import type { ErrorCode } from "./gen/error_pb.js";
import type { PacketId } from "./gen/packets_pb.js";
import type { Member, Membership, Report, SMessageEditedNtf, SReactionNtf, SRoomChatNtf } from "./gen/room_pb.js";
import type { RoomRecovery } from "./rooms.js";

/** A message of a room: of a player, the client's own included, or of the server (`message.system`). */
export interface MessageEvent {
    readonly message: SRoomChatNtf;
    /** How many messages of the room are missing before this one. 0 unless something was lost. */
    readonly missedBefore: number;
}

/** A message of a room got another text, or was deleted (`edit.text` is empty). The client may not have the message. */
export interface EditedEvent {
    readonly edit: SMessageEditedNtf;
    /** As in MessageEvent. */
    readonly missedBefore: number;
}

/** A player has reacted to a message, or has taken that back. The client may not have the message. */
export interface ReactionEvent {
    readonly reaction: SReactionNtf;
    /** As in MessageEvent. */
    readonly missedBefore: number;
}

/** Another player is writing: show it for 5 seconds, or until its next message. */
export interface TypingEvent {
    readonly roomId: bigint;
    readonly playerId: bigint;
}

/** A moderator or an operator has taken the player out of a room; the message says why. */
export interface RoomLeftEvent {
    readonly roomId: bigint;
    readonly message: string;
}

/** The player has become a member of a room by invitation: enter it with `joinRoom`. */
export interface InvitedEvent {
    readonly membership: Membership;
    readonly by: Member | undefined;
}

/** A player has reported a message of a room that the player moderates: `listReports` reads it with the messages around. */
export interface ReportedEvent {
    readonly report: Report;
}

/** The player is in a room on another device: enter it with `joinRoom` to have it on this one as well. */
export interface RoomEnteredEvent {
    readonly roomId: bigint;
    readonly name: string;
}

/** A player has sent the client a direct message. With `message.number` the server has stored it. */
export interface DirectEvent {
    readonly message: SDirectChatNtf;
}

/** The player has sent a direct message on another device, to `message.playerId`. Only where the server stores direct messages. */
export interface DirectSentEvent {
    readonly message: SDirectSentNtf;
}

/** Another player has joined a room of the client's. A player that leaves is told by a message with `left`. */
export interface MemberJoinedEvent {
    readonly roomId: bigint;
    readonly member: Member;
    readonly missedBefore: number;
    /** The player was a member before the server restarted, and is back within two minutes: nothing that a person needs to be told. */
    readonly returned: boolean;
}

/** The server has given the client a room's state anew, because it cannot give what was missed. */
export interface RoomStateEvent {
    readonly roomId: bigint;
}

/** The server refused something that had no answer; or an operator sends a notice (`ErrorCode.NONE`). Show the message. */
export interface NoticeEvent {
    readonly code: ErrorCode;
    readonly message: string;
    readonly packetId: PacketId;
}

/** The session continues on a new connection. */
export interface ReconnectedEvent {
    /** Whether the client is in all its rooms and nothing of them is missing. */
    readonly recovered: boolean;
    readonly rooms: readonly RoomRecovery[];
}

/** The events of a client, by name. */
export interface ChatEvents {
    message: MessageEvent;
    edited: EditedEvent;
    reaction: ReactionEvent;
    typing: TypingEvent;
    roomLeft: RoomLeftEvent;
    invited: InvitedEvent;
    reported: ReportedEvent;
    roomEntered: RoomEnteredEvent;
    direct: DirectEvent;
    directSent: DirectSentEvent;
    memberJoined: MemberJoinedEvent;
    roomState: RoomStateEvent;
    notice: NoticeEvent;
    reconnecting: ReconnectingEvent;
    reconnected: ReconnectedEvent;
    closed: ClosedEvent;
}
