import type { Link } from "./link.js";
/** How long one request may take. */
export interface RequestOptions {
    /** Milliseconds to wait for the answer, breaks of the connection included. Default: `requestTimeoutMs` of the client. */
    timeoutMs?: number | undefined;
    /** Stops waiting. The server may carry the request out nevertheless. */
    signal?: AbortSignal | undefined;
}
/** How a request ends, whichever comes first. */
export interface Outcome<TAnswer> {
    /** @param apply Carries the answer out before the next packet, when the code that awaits it has not continued yet. */
    succeed(answer: TAnswer, apply?: (answer: TAnswer) => void): void;
    fail(error: Error): void;
}
/**
 * Awaits what `start` begins: its answer, its failure, the end of the time, or the signal. It leaves nothing behind, however it ends.
 * @param start Ends nothing before it returns. Returns what forgets the request; called once, at the end.
 */
export declare function outcomeOf<TAnswer>(timeoutMs: number, signal: AbortSignal | undefined, start: (outcome: Outcome<TAnswer>) => () => void): Promise<TAnswer>;
/** A signal that the end of the link raises too. */
export declare function untilEnd(link: Link, signal: AbortSignal | undefined): AbortSignal;
