import { type CloseReason } from "./closeReasons.js";
/**
 * The connection ended, or had ended, before a request was answered. Whether the server carried the request out is not known.
 */
export declare class ConnectionClosedError extends Error {
    readonly reason: CloseReason;
    readonly name = "ConnectionClosedError";
    constructor(reason: CloseReason, message?: string);
}
/** No connection could be made. A browser does not tell why. */
export declare class ConnectError extends Error {
    readonly name = "ConnectError";
}
/** The answer did not come in time. Whether the server carried the request out is not known. */
export declare class RequestTimeoutError extends Error {
    readonly name = "RequestTimeoutError";
}
/** `maxRequests` requests wait already, or `maxBufferedBytes` wait to be sent. Nothing was sent. */
export declare class TooManyRequestsError extends Error {
    readonly name = "TooManyRequestsError";
}
/** A payload is not the message of its packet. The text names the packet. */
export declare class MalformedPacketError extends Error {
    readonly name = "MalformedPacketError";
}
/** The server answered a request with another packet than the awaited one. */
export declare class RequestFailedError extends Error {
    /** The id of the packet that came. */
    readonly packetId: number;
    /** The message, if the packet is one of the client's `failures`; the payload otherwise. */
    readonly answer: unknown;
    readonly name = "RequestFailedError";
    constructor(message: string, 
    /** The id of the packet that came. */
    packetId: number, 
    /** The message, if the packet is one of the client's `failures`; the payload otherwise. */
    answer: unknown);
}
