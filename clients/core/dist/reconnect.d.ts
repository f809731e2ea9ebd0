import { type CloseReason } from "./closeReasons.js";
/** Whether the next attempt to reconnect may succeed although this one failed. */
export declare function mayPass(error: unknown): boolean;
/** Whether a link that ended for this reason is to be made again. A server that stops says itself whether clients return. */
export declare function isBreak(reason: CloseReason): boolean;
/**
 * The wait before an attempt to reconnect. It doubles with each attempt up to the longest. Of each wait a random part, at most half, is
 * left out, so that the clients that one fault has cut off do not all come back at the same moment.
 * @param attempt From 1 on.
 */
export declare function backoffMs(attempt: number, firstMs: number, maxMs: number, random?: () => number): number;
