import { closeReasonName } from "./closeReasons.js";
/**
 * The connection ended, or had ended, before a request was answered. Whether the server carried the request out is not known.
 */
export class ConnectionClosedError extends Error {
    reason;
    name = "ConnectionClosedError";
    constructor(reason, message) {
        super(message ?? `The connection has ended: ${closeReasonName(reason)}.`);
        this.reason = reason;
    }
}
/** No connection could be made. A browser does not tell why. */
export class ConnectError extends Error {
    name = "ConnectError";
}
/** The answer did not come in time. Whether the server carried the request out is not known. */
export class RequestTimeoutError extends Error {
    name = "RequestTimeoutError";
}
/** `maxRequests` requests wait already, or `maxBufferedBytes` wait to be sent. Nothing was sent. */
export class TooManyRequestsError extends Error {
    name = "TooManyRequestsError";
}
/** A payload is not the message of its packet. The text names the packet. */
export class MalformedPacketError extends Error {
    name = "MalformedPacketError";
}
/** The server answered a request with another packet than the awaited one. */
export class RequestFailedError extends Error {
    packetId;
    answer;
    name = "RequestFailedError";
    constructor(message, 
    /** The id of the packet that came. */
    packetId, 
    /** The message, if the packet is one of the client's `failures`; the payload otherwise. */
    answer) {
        super(message);
        this.packetId = packetId;
        this.answer = answer;
    }
}
