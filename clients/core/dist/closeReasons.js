import { closeCodes } from "./gen/closeCodes.js";
/** The reasons by name. The table is proto/close-codes.json, which the server's clients share. */
export const CloseReasons = Object.fromEntries(closeCodes.map(({ name, reason }) => [name, reason]));
const byReason = new Map(closeCodes.map((entry) => [entry.reason, entry]));
// A WebSocket close code of ours is this and the number of the reason.
const firstCloseCode = 4000;
export function adviceOf(reason) {
    return byReason.get(reason)?.advice ?? "do-not-reconnect";
}
/** The name of a reason, for example `"TakenOver"`. */
export function closeReasonName(reason) {
    return byReason.get(reason)?.name ?? `reason ${reason}`;
}
/** The reason of a WebSocket that was closed with this code. Codes below 4000 are RFC 6455's, section 7.4.1. */
export function reasonOfCloseCode(code) {
    if (code >= firstCloseCode) {
        return code - firstCloseCode;
    }
    switch (code) {
        case 1000: // normal
        case 1001: // going away
        case 1005: // no code
        case 1012: // service restart
        case 1013: // try again later
            return CloseReasons.PeerClosed;
        case 1002: // protocol error
        case 1003: // cannot accept this type of data
        case 1007: // inconsistent data
        case 1008: // policy violation
        case 1010: // missing extension
            return CloseReasons.ProtocolViolation;
        case 1009:
            return CloseReasons.FrameTooLarge;
        case 1011: // internal error
            return CloseReasons.HandlerFault;
        default: // 1006, a link that broke, and what a proxy may invent
            return CloseReasons.PeerReset;
    }
}
