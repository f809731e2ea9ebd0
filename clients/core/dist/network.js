/** The browser's signals; in a program without a page it is always online and nothing ever changes. */
export const browserNetwork = {
    get online() {
        // Node has a navigator without onLine.
        return globalThis.navigator?.onLine !== false;
    },
    subscribe(changed) {
        if (typeof document === "undefined" || typeof window === "undefined") {
            return () => { };
        }
        const shown = () => {
            if (document.visibilityState === "visible") {
                changed();
            }
        };
        const listeners = [
            [window, "online", changed],
            [window, "offline", changed],
            // A page that comes back from the back-forward cache, or that the browser had frozen, has lost its connections.
            [window, "pageshow", shown],
            [document, "resume", shown],
            [document, "visibilitychange", shown],
        ];
        listeners.forEach(([target, name, listener]) => target.addEventListener(name, listener));
        return () => listeners.forEach(([target, name, listener]) => target.removeEventListener(name, listener));
    },
};
// navigator.onLine is false on a machine whose server is the machine itself, so an offline client still looks now and then.
const offlineWaitMs = 30_000;
/**
 * Waits before an attempt to reconnect.
 * @param delayMs How long. While the system is offline it is at least 30 seconds.
 * @param mayEndEarly Whether a signal ends the wait. A wait that the server asked for must not end early.
 */
export function waitForAttempt(network, delayMs, mayEndEarly, signal) {
    return new Promise((resolve) => {
        const end = (how) => {
            clearTimeout(timer);
            unsubscribe();
            signal.removeEventListener("abort", aborted);
            resolve(how);
        };
        const aborted = () => end("aborted");
        const timer = setTimeout(() => end("passed"), Math.min(network.online ? delayMs : Math.max(delayMs, offlineWaitMs), 0x7fffffff));
        const unsubscribe = mayEndEarly ? network.subscribe(() => end("changed")) : () => { };
        signal.addEventListener("abort", aborted);
        if (signal.aborted) {
            aborted();
        }
    });
}
