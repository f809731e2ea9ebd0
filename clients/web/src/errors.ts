import { ChatError, CloseReasons, type ClosedEvent, ConnectError, ConnectionClosedError, ErrorCode, RequestTimeoutError } from "@playchat/client";
import { duration } from "./time.js";

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

/** What went wrong, and what to do about it, for a person: of a refusal, what the server says. */
export function describe(error: unknown): string {
    if (error instanceof ChatError) {
        const again = error.retryAfterMs > 0 ? `in ${duration(error.retryAfterMs)}` : "later";
        return error.message || `The server refused this without a reason (${error.codeName}). Try again ${again}.`;
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
