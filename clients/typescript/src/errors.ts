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
