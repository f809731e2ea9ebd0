import type { CloseReason } from "./closeReasons.js";
/** The connection has broken, or the server restarts; an attempt to reconnect follows. Requests wait meanwhile. */
export interface ReconnectingEvent {
    /** From 1 on. */
    readonly attempt: number;
    /** The wait before the attempt, in milliseconds. It ends early when the network comes back or the page is shown. */
    readonly delayMs: number;
    readonly reason: CloseReason;
    /** The server's sentence for a person. */
    readonly message: string | undefined;
    /** False while the system has no network. */
    readonly online: boolean;
}
/** The session has ended, and the client with it. */
export interface ClosedEvent {
    readonly reason: CloseReason;
    /** A sentence for a person. */
    readonly message: string | undefined;
    /** Why the last attempt to reconnect failed. */
    readonly error: unknown;
}
