import { type DescMessage, type MessageInitShape, type MessageShape, create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { WebSocketLike } from "@playchat/core";
import { type Packet, decodePackets, encodePacket } from "@playchat/core/parts";
import { ErrorCode, SErrorNtfSchema } from "../src/gen/error_pb.js";
import { CLoginReqSchema, CResumeReqSchema, SLoginResSchema, SResumeResSchema } from "../src/gen/login_pb.js";
import { PacketId } from "../src/gen/packets_pb.js";
import { SCloseNtfSchema } from "../src/gen/connection_pb.js";
import { SJoinRoomResSchema, SRoomChatNtfSchema } from "../src/gen/room_pb.js";
import { type ConnectOptions } from "../src/options.js";

/** Lets everything run that can run without time passing, until the condition holds. */
export async function until<T>(what: string, condition: () => T | undefined | false): Promise<T> {
    for (let turns = 0; turns < 1000; turns++) {
        const value = condition();
        if (value !== undefined && value !== false) {
            return value;
        }
        await turn();
    }
    throw new Error(`This did not happen: ${what}.`);
}

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** One WebSocket as the client sees it. The test is the server at its other end. */
export class FakeSocket implements WebSocketLike {
    binaryType = "";
    readyState = 0;
    bufferedAmount = 0;
    onopen: ((event: never) => void) | null = null;
    onmessage: ((event: never) => void) | null = null;
    onclose: ((event: never) => void) | null = null;
    onerror: ((event: never) => void) | null = null;
    readonly packets: Packet[] = [];
    hasClosed = false;

    constructor(
        readonly url: string,
        readonly protocols: string | string[],
    ) {}

    send(data: Uint8Array<ArrayBuffer>): void {
        this.packets.push(...(decodePackets(data.slice().buffer) ?? []));
    }

    close(): void {
        this.hasClosed = true;
        if (this.readyState < 2) {
            this.readyState = 2;
        }
    }

    open(): void {
        this.readyState = 1;
        this.onopen?.({} as never);
    }

    /** The link breaks, or the server closes with a code. */
    drop(code = 1006, reason = ""): void {
        this.readyState = 3;
        this.onclose?.({ code, reason } as never);
    }

    /** Bytes from the server, as one WebSocket message. */
    deliver(...packets: Uint8Array[]): void {
        const bytes = new Uint8Array(packets.reduce((sum, packet) => sum + packet.byteLength, 0));
        let offset = 0;
        for (const packet of packets) {
            bytes.set(packet, offset);
            offset += packet.byteLength;
        }
        this.onmessage?.({ data: bytes.buffer } as never);
    }

    /** Takes the next packet of this kind that the client has sent. */
    async take<T extends DescMessage>(id: PacketId, schema: T): Promise<{ requestId: number; message: MessageShape<T> }> {
        const packet = await until(`the client sends ${PacketId[id]}`, () => {
            const index = this.packets.findIndex((sent) => sent.id === id);
            return index < 0 ? undefined : this.packets.splice(index, 1)[0];
        });
        return { requestId: packet.requestId, message: fromBinary(schema, packet.payload) };
    }

    has(id: PacketId): boolean {
        return this.packets.some((packet) => packet.id === id);
    }
}

export function packet<T extends DescMessage>(id: PacketId, requestId: number, schema: T, init: MessageInitShape<T>): Uint8Array {
    return encodePacket(id, requestId, toBinary(schema, create(schema, init)));
}

export function error(requestId: number, code: ErrorCode, message = "No.", retryAfterMs = 0, endpoint = ""): Uint8Array {
    return packet(PacketId.S_ERROR_NTF, requestId, SErrorNtfSchema, { code, message, retryAfterMs, endpoint });
}

export function chat(roomId: bigint, sequence: bigint, text: string, previousSequence = sequence - 1n): Uint8Array {
    const init = { roomId, sequence, previousSequence, playerId: 8n, playerName: "Ann", text };
    return packet(PacketId.S_ROOM_CHAT_NTF, 0, SRoomChatNtfSchema, init);
}

export function farewell(reason: number, message = "", retryAfterMs = 0, endpoint = ""): Uint8Array {
    return packet(PacketId.S_CLOSE_NTF, 0, SCloseNtfSchema, { reason, message, retryAfterMs, endpoint });
}

/** The sockets that a client makes, in their order. */
export class FakeServer {
    readonly sockets: FakeSocket[] = [];
    #taken = 0;

    /** Options for `connect` that lead here. */
    options(options: ConnectOptions = {}): ConnectOptions {
        const { sockets } = this;
        const webSocket = class extends FakeSocket {
            constructor(url: string, protocols: string | string[]) {
                super(url, protocols);
                sockets.push(this);
            }
        };
        return { webSocket, keepAliveMs: Infinity, ...options };
    }

    /** The next socket that the client makes, not open yet. */
    async attempt(): Promise<FakeSocket> {
        const socket = await until("the client connects", () => this.sockets[this.#taken]);
        this.#taken++;
        return socket;
    }

    async accept(): Promise<FakeSocket> {
        const socket = await this.attempt();
        socket.open();
        return socket;
    }

    async login(socket: FakeSocket, token: number): Promise<MessageShape<typeof CLoginReqSchema>> {
        const { requestId, message } = await socket.take(PacketId.C_LOGIN_REQ, CLoginReqSchema);
        const init = { playerId: 7n, name: message.name, server: { maxFrameBytes: 65536 }, resumeToken: new Uint8Array([token]) };
        socket.deliver(packet(PacketId.S_LOGIN_RES, requestId, SLoginResSchema, init));
        return message;
    }

    async resume(
        socket: FakeSocket, answer: MessageInitShape<typeof SResumeResSchema>, ...following: Uint8Array[]
    ): Promise<MessageShape<typeof CResumeReqSchema>> {
        const { requestId, message } = await socket.take(PacketId.C_RESUME_REQ, CResumeReqSchema);
        const init = { playerId: 7n, name: "Min", resumeToken: new Uint8Array([message.token[0]! + 1]), ...answer };
        socket.deliver(packet(PacketId.S_RESUME_RES, requestId, SResumeResSchema, init), ...following);
        return message;
    }

    joined(requestId: number, roomId: bigint, latestSequence: bigint): Uint8Array {
        const members = [{ playerId: 7n, name: "Min" }, { playerId: 8n, name: "Ann" }];
        return packet(PacketId.S_JOIN_ROOM_RES, requestId, SJoinRoomResSchema, { roomId, name: "lobby", members, latestSequence });
    }
}
