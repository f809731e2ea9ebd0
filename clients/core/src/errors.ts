import { type CloseReason, closeReasonName } from "./closeReasons.js";

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

/** `maxRequests` requests wait already, or `maxBufferedBytes` wait to be sent. Nothing was sent. */
export class TooManyRequestsError extends Error {
    override readonly name = "TooManyRequestsError";
}

/** A payload is not the message of its packet. The text names the packet. */
export class MalformedPacketError extends Error {
    override readonly name = "MalformedPacketError";
}

/** The server answered a request with another packet than the awaited one. */
export class RequestFailedError extends Error {
    override readonly name = "RequestFailedError";

    constructor(
        message: string,
        /** The id of the packet that came. */
        readonly packetId: number,
        /** The message, if the packet is one of the client's `failures`; the payload otherwise. */
        readonly answer: unknown,
    ) {
        super(message);
    }
}
