import type { AddressInfo } from "node:net";
import WebSocket, { WebSocketServer } from "ws";
import { type Packet, decodePackets, encodePacket } from "../src/wire.js";

/** Hands out in order what comes, to whoever asks first. */
class Inbox<T> {
    readonly #items: T[] = [];
    readonly #waiting: ((item: T) => void)[] = [];

    put(item: T): void {
        const take = this.#waiting.shift();
        if (take === undefined) {
            this.#items.push(item);
        } else {
            take(item);
        }
    }

    next(): Promise<T> {
        return this.#items.length > 0 ? Promise.resolve(this.#items.shift()!) : new Promise((resolve) => this.#waiting.push(resolve));
    }
}

/** The server's end of one connection. The test decides what it sends. */
export class Peer {
    readonly #packets = new Inbox<Packet>();
    /** The close code of the client. */
    readonly closed: Promise<number>;

    constructor(private readonly socket: WebSocket) {
        socket.on("message", (data: Buffer) => decodePackets(new Uint8Array(data).buffer)?.forEach((packet) => this.#packets.put(packet)));
        this.closed = new Promise((resolve) => socket.on("close", resolve));
    }

    /** The next packet of the client. */
    next(): Promise<Packet> {
        return this.#packets.next();
    }

    /** Sends packets in one WebSocket message. Objects are JSON. */
    send(...packets: [id: number, requestId: number, message: object | string | Uint8Array][]): void {
        this.socket.send(Buffer.concat(packets.map(([id, requestId, message]) => encodePacket(id, requestId, payloadOf(message)))));
    }

    sendText(text: string): void {
        this.socket.send(text);
    }

    close(code: number, reason = ""): void {
        this.socket.close(code, reason);
    }

    /** Ends the connection as a broken network does. */
    break(): void {
        this.socket.terminate();
    }
}

function payloadOf(message: object | string | Uint8Array): Uint8Array {
    return message instanceof Uint8Array ? message : new TextEncoder().encode(typeof message === "string" ? message : JSON.stringify(message));
}

/** A WebSocket server on the loopback whose answers the test writes. */
export class ScriptedServer {
    readonly #peers = new Inbox<Peer>();
    readonly #server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: (offered) => [...offered][0] ?? false });
    readonly protocols: string[] = [];

    private constructor() {
        this.#server.on("connection", (socket) => {
            this.protocols.push(socket.protocol);
            this.#peers.put(new Peer(socket));
        });
    }

    static async start(): Promise<ScriptedServer> {
        const server = new ScriptedServer();
        await new Promise((resolve) => server.#server.on("listening", resolve));
        return server;
    }

    get url(): string {
        return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/ws`;
    }

    /** The next connection. */
    accept(): Promise<Peer> {
        return this.#peers.next();
    }

    async dispose(): Promise<void> {
        this.#server.clients.forEach((socket) => socket.terminate());
        await new Promise((resolve) => this.#server.close(resolve));
    }
}
