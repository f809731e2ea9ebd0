import { type CloseReason, CloseReasons, adviceOf } from "./closeReasons.js";
import { ConnectError, ConnectionClosedError, RequestTimeoutError } from "./errors.js";

/** Whether the next attempt to reconnect may succeed although this one failed. */
export function mayPass(error: unknown): boolean {
    return error instanceof ConnectionClosedError ? isBreak(error.reason)
        : error instanceof ConnectError || error instanceof RequestTimeoutError;
}

/** Whether a link that ended for this reason is to be made again. A server that stops says itself whether clients return. */
export function isBreak(reason: CloseReason): boolean {
    return reason !== CloseReasons.ServerShutdown && adviceOf(reason) !== "do-not-reconnect";
}

/**
 * The wait before an attempt to reconnect. It doubles with each attempt up to the longest. Of each wait a random part, at most half, is
 * left out, so that the clients that one fault has cut off do not all come back at the same moment.
 * @param attempt From 1 on.
 */
export function backoffMs(attempt: number, firstMs: number, maxMs: number, random: () => number = Math.random): number {
    const full = Math.min(maxMs, firstMs * 2 ** (attempt - 1));
    return full * (0.5 + random() / 2);
}
