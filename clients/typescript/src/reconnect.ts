import { type LinkEnd, isBreak, mayPass as mayPassAtCore } from "@playchat/core/parts";
import { ChatError } from "./errors.js";
import { ErrorCode } from "./gen/error_pb.js";

/** Whether the client comes back after this end of a connection that was entered. */
export function mayReturn(end: LinkEnd): boolean {
    return end.retryAfterMs > 0 || isBreak(end.reason);
}

const passing = new Set<ErrorCode>([
    ErrorCode.SERVER_BUSY, ErrorCode.STORAGE_UNAVAILABLE, ErrorCode.INTERNAL, ErrorCode.SERVER_SHUTDOWN, ErrorCode.LOGIN_THROTTLED,
    ErrorCode.RATE_LIMITED, ErrorCode.UNAVAILABLE, ErrorCode.REDIRECT,
]);

/** Whether the next attempt may succeed although this one failed. */
export function mayPass(error: unknown): boolean {
    return error instanceof ChatError ? passing.has(error.code) : mayPassAtCore(error);
}
