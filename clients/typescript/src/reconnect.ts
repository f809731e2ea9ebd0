import { CloseReasons, adviceOf } from "./closeReasons.js";
import { ChatError, ConnectError, ConnectionClosedError, RequestTimeoutError } from "./errors.js";
import { ErrorCode } from "./gen/error_pb.js";
import type { LinkEnd } from "./link.js";

/** Whether the client comes back after this end of a connection that was entered. */
export function mayReturn(end: LinkEnd): boolean {
    // A server that stops says when it comes back, or that it does not.
    return end.retryAfterMs > 0 || (end.reason !== CloseReasons.ServerShutdown && adviceOf(end.reason) !== "do-not-reconnect");
}

const passing = new Set<ErrorCode>([
    ErrorCode.SERVER_BUSY, ErrorCode.STORAGE_UNAVAILABLE, ErrorCode.INTERNAL, ErrorCode.SERVER_SHUTDOWN, ErrorCode.LOGIN_THROTTLED,
    ErrorCode.RATE_LIMITED, ErrorCode.UNAVAILABLE, ErrorCode.REDIRECT,
]);

/** Whether the next attempt may succeed although this one failed. */
export function mayPass(error: unknown): boolean {
    if (error instanceof ChatError) {
        return passing.has(error.code);
    }
    if (error instanceof ConnectionClosedError) {
        return error.reason !== CloseReasons.ServerShutdown && adviceOf(error.reason) !== "do-not-reconnect";
    }
    return error instanceof ConnectError || error instanceof RequestTimeoutError;
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
