import { ConnectionClosedError, RequestTimeoutError } from "./errors.js";
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
export function outcomeOf<TAnswer>(
    timeoutMs: number, signal: AbortSignal | undefined, start: (outcome: Outcome<TAnswer>) => () => void,
): Promise<TAnswer> {
    return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        let forget = (): void => {};
        let timer: ReturnType<typeof setTimeout> | undefined;
        const settle = (): void => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", aborted);
            forget();
        };
        const fail = (error: Error): void => {
            settle();
            reject(error);
        };
        const succeed: Outcome<TAnswer>["succeed"] = (answer, apply) => {
            settle();
            apply?.(answer);
            resolve(answer);
        };
        const aborted = (): void => fail(signal?.reason as Error);
        forget = start({ succeed, fail });
        signal?.addEventListener("abort", aborted);
        if (timeoutMs !== Infinity) {
            timer = setTimeout(() => {
                fail(new RequestTimeoutError(`The server did not answer within ${timeoutMs} ms.`));
            }, Math.min(timeoutMs, 0x7fffffff));
        }
    });
}

/** A signal that the end of the link raises too. */
export function untilEnd(link: Link, signal: AbortSignal | undefined): AbortSignal {
    const ended = new AbortController();
    void link.closed.then((end) => ended.abort(new ConnectionClosedError(end.reason, end.message)));
    return signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
}
