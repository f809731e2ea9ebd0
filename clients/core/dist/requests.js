import { ConnectionClosedError, RequestTimeoutError } from "./errors.js";
/**
 * Awaits what `start` begins: its answer, its failure, the end of the time, or the signal. It leaves nothing behind, however it ends.
 * @param start Ends nothing before it returns. Returns what forgets the request; called once, at the end.
 */
export function outcomeOf(timeoutMs, signal, start) {
    return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        let forget = () => { };
        let timer;
        const settle = () => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", aborted);
            forget();
        };
        const fail = (error) => {
            settle();
            reject(error);
        };
        const succeed = (answer, apply) => {
            settle();
            apply?.(answer);
            resolve(answer);
        };
        const aborted = () => fail(signal?.reason);
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
export function untilEnd(link, signal) {
    const ended = new AbortController();
    void link.closed.then((end) => ended.abort(new ConnectionClosedError(end.reason, end.message)));
    return signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
}
