import { closeCodes } from "./gen/closeCodes.js";

/** Why a connection ended: a number of `CloseReasons`. A newer server may send one that is not there. */
export type CloseReason = number;

/** The reasons by name. The table is proto/close-codes.json, which the server's clients share. */
export const CloseReasons = Object.fromEntries(closeCodes.map(({ name, reason }) => [name, reason])) as {
    readonly [Entry in (typeof closeCodes)[number] as Entry["name"]]: Entry["reason"];
};

/**
 * What a client does after a close: `reconnect` at once, with growing pauses; `reconnect-later`, after a pause or when the server asks for
 * it; or `do-not-reconnect`, because the next connection would end in the same way.
 */
export type CloseAdvice = (typeof closeCodes)[number]["advice"];

const byReason = new Map<CloseReason, (typeof closeCodes)[number]>(closeCodes.map((entry) => [entry.reason, entry]));

// A WebSocket close code of ours is this and the number of the reason.
const firstCloseCode = 4000;

export function adviceOf(reason: CloseReason): CloseAdvice {
    return byReason.get(reason)?.advice ?? "do-not-reconnect";
}

/** The name of a reason, for example `"TakenOver"`. */
export function closeReasonName(reason: CloseReason): string {
    return byReason.get(reason)?.name ?? `reason ${reason}`;
}

/** The reason of a WebSocket that was closed with this code. Codes below 4000 are RFC 6455's, section 7.4.1. */
export function reasonOfCloseCode(code: number): CloseReason {
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
