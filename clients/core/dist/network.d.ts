/** What a browser knows about the network and the page: it decides when an attempt to reconnect is worth making. */
export interface NetworkSignals {
    /** Whether the system has a network. `true` where that is not known. */
    readonly online: boolean;
    /**
     * Calls `changed` when the network is back or has gone, or when the page is shown again after it was hidden or asleep.
     * @returns A function that ends it.
     */
    subscribe(changed: () => void): () => void;
}
/** The browser's signals; in a program without a page it is always online and nothing ever changes. */
export declare const browserNetwork: NetworkSignals;
export type WaitEnd = "passed" | "changed" | "aborted";
/**
 * Waits before an attempt to reconnect.
 * @param delayMs How long. While the system is offline it is at least 30 seconds.
 * @param mayEndEarly Whether a signal ends the wait. A wait that the server asked for must not end early.
 */
export declare function waitForAttempt(network: NetworkSignals, delayMs: number, mayEndEarly: boolean, signal: AbortSignal): Promise<WaitEnd>;
