import { closeCodes } from "./gen/closeCodes.js";
/** Why a connection ended: a number of `CloseReasons`. A newer server may send one that is not there. */
export type CloseReason = number;
/** The reasons by name. The table is proto/close-codes.json, which the server's clients share. */
export declare const CloseReasons: { readonly [Entry in (typeof closeCodes)[number] as Entry["name"]]: Entry["reason"]; };
/**
 * What a client does after a close: `reconnect` at once, with growing pauses; `reconnect-later`, after a pause or when the server asks for
 * it; or `do-not-reconnect`, because the next connection would end in the same way.
 */
export type CloseAdvice = (typeof closeCodes)[number]["advice"];
export declare function adviceOf(reason: CloseReason): CloseAdvice;
/** The name of a reason, for example `"TakenOver"`. */
export declare function closeReasonName(reason: CloseReason): string;
/** The reason of a WebSocket that was closed with this code. Codes below 4000 are RFC 6455's, section 7.4.1. */
export declare function reasonOfCloseCode(code: number): CloseReason;
