import { ChatError, CloseReasons, type ClosedEvent, ConnectError, ConnectionClosedError, ErrorCode, RequestTimeoutError } from "@playchat/client";
import { duration } from "./time.js";

// What is wrong, and what to do about it where the server does not say how long to wait.
const words: Partial<Record<ErrorCode, readonly [what: string, advice?: string]>> = {
    [ErrorCode.LOGIN_REFUSED]: ["Incorrect name or password."],
    [ErrorCode.PASSWORD_REQUIRED]: ["A password is needed here."],
    [ErrorCode.ROOM_FULL]: ["This room is full.", "Try again later, or choose another room."],
    [ErrorCode.ROOM_NOT_FOUND]: ["There is no such room.", "It may have ended."],
    [ErrorCode.ROOM_NAME_INVALID]: ["This room name is not allowed.", "Use 1 to 64 visible characters."],
    [ErrorCode.TEXT_INVALID]: ["This message has nothing that can be shown, or is too long."],
    [ErrorCode.STORAGE_UNAVAILABLE]: ["The server cannot reach its database at the moment.", "Try again later."],
    [ErrorCode.SERVER_BUSY]: ["The server is busy.", "Try again later."],
    [ErrorCode.RATE_LIMITED]: ["Too many requests.", "Try again later."],
    [ErrorCode.INTERNAL]: ["The server failed.", "Try again, or tell its operator."],
    [ErrorCode.MESSAGE_NOT_FOUND]: ["This message is gone."],
    [ErrorCode.NOT_IN_ROOM]: ["You are no longer in this room.", "Join it again."],
};

/** Asks the server, and again when it asks to be asked less often. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
        try {
            return await ask();
        } catch (error) {
            if (!(error instanceof ChatError && error.code === ErrorCode.RATE_LIMITED)) {
                throw error;
            }
            await new Promise((resolve) => setTimeout(resolve, Math.max(error.retryAfterMs, 100)));
        }
    }
}

/** What went wrong, and what to do about it, for a person. */
export function describe(error: unknown): string {
    if (error instanceof ChatError) {
        const [what, advice = ""] = words[error.code] ?? [];
        return what === undefined ? error.message // the server's own sentence says how long to wait, too
            : `${what} ${error.retryAfterMs > 0 ? `Try again in ${duration(error.retryAfterMs)}.` : advice}`.trimEnd();
    }
    if (error instanceof ConnectError) {
        return "The server is unreachable. Check that it is running, then try again.";
    }
    if (error instanceof RequestTimeoutError) {
        return "The server did not answer in time. Try again.";
    }
    if (error instanceof ConnectionClosedError) {
        return "The connection was lost before the server answered. Try again.";
    }
    return error instanceof Error ? error.message : String(error);
}

/** Why the session has ended, for the login form. */
export function describeEnd({ reason, message, error }: ClosedEvent): string {
    switch (reason) {
        case CloseReasons.TakenOver:
            return "You have logged in elsewhere, so this session has ended and left its rooms. Log in again to chat here.";
        case CloseReasons.ServerShutdown:
            return "The server has stopped. Log in again when it is back.";
        default:
            return message ?? (error === undefined ? "The connection has ended. Log in again." : describe(error));
    }
}
