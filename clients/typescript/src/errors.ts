import { type CloseReason, closeReasonName } from "./closeReasons.js";
import { ErrorCode } from "./gen/error_pb.js";

/** The server refused a request. Nothing of the request was carried out, unless `code` is `INTERNAL`. */
export class ChatError extends Error {
    override readonly name = "ChatError";

    constructor(
        /** What went wrong. Treat a number that you do not know as `ErrorCode.INTERNAL`. */
        readonly code: ErrorCode,
        /** The server's sentence for a person, in English. */
        message: string,
        /** How long to wait before the request is sent again, in milliseconds; 0 when the server does not know. */
        readonly retryAfterMs = 0,
        /** With `REDIRECT`: the server that takes the request, as HOST:PORT of the TCP protocol. Otherwise empty. */
        readonly endpoint = "",
    ) {
        super(message);
    }

    /** The name of `code`, for example `"ROOM_FULL"`. */
    get codeName(): string {
        return ErrorCode[this.code] ?? "INTERNAL";
    }
}

/**
 * The connection ended, or had ended, before a request was answered. Whether the server carried the request out is not known.
 */
export class ConnectionClosedError extends Error {
    override readonly name = "ConnectionClosedError";

    constructor(
        readonly reason: CloseReason,
        message?: string,
    ) {
        super(message ?? `The connection has ended: ${closeReasonName(reason)}.`);
    }
}

/** No connection could be made. A browser does not tell why. */
export class ConnectError extends Error {
    override readonly name = "ConnectError";
}

/** The answer did not come in time. Whether the server carried the request out is not known. */
export class RequestTimeoutError extends Error {
    override readonly name = "RequestTimeoutError";
}
