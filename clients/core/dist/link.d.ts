import { type CloseReason } from "./closeReasons.js";
import type { LinkSettings } from "./options.js";
import { type Packet } from "./wire.js";
/** How a link ended. */
export interface LinkEnd {
    readonly reason: CloseReason;
    /** The server's sentence for a person. */
    readonly message: string | undefined;
    /** How long the server asked to wait before the next connection; 0 when it did not ask for a return. */
    readonly retryAfterMs: number;
    /** The server that this one has named to connect to instead, as HOST:PORT; empty for none. */
    readonly endpoint?: string;
}
/** One WebSocket from open to end. It ends once: by the peer, by `close`, or by `abort`, whichever comes first. */
export declare class Link {
    #private;
    readonly closed: Promise<LinkEnd>;
    private constructor();
    /**
     * Connects.
     * @throws ConnectError The server did not answer in time, or refused.
     */
    static open(url: string, settings: LinkSettings, signal: AbortSignal | undefined, onPacket: (link: Link, packet: Packet) => void): Promise<Link>;
    get isOpen(): boolean;
    /** What the server has announced, also before the end. */
    get farewell(): LinkEnd | undefined;
    get bufferedBytes(): number;
    /** @returns False when the link has ended or is ending: the bytes will not go out. */
    send(bytes: Uint8Array<ArrayBuffer>): boolean;
    /** The server has said why it is about to close. */
    expectClose(reason: CloseReason, message: string, retryAfterMs: number, endpoint: string): void;
    /** Sends what is queued, then closes. */
    close(): void;
    /** Ends at once. The socket's own end may take long on a dead network, so nothing waits for it. */
    abort(reason: CloseReason, message?: string): void;
}
