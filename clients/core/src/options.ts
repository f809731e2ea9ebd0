import type { NetworkSignals } from "./network.js";

/** The part of the browser's WebSocket that the client uses. `WebSocket` of the npm package `ws` has it too. */
export interface WebSocketLike {
    binaryType: string;
    readonly readyState: number;
    readonly bufferedAmount: number;
    onopen: ((event: never) => void) | null;
    onmessage: ((event: never) => void) | null;
    onclose: ((event: never) => void) | null;
    onerror: ((event: never) => void) | null;
    send(data: Uint8Array<ArrayBuffer>): void;
    close(code?: number, reason?: string): void;
}

/** How connections are made and kept. Times are in milliseconds. */
export interface LinkOptions {
    /** The WebSocket class. Default: the global one, which browsers and Node 22 have. On Node 20 pass that of the npm package `ws`. */
    webSocket?: new (url: string, protocols: string | string[]) => WebSocketLike;

    /** How long connecting may take, and after a break the answer to a resume. Default 10,000. */
    connectTimeoutMs?: number;

    /** How long a request may wait for its answer, breaks included. Default 10,000. `Infinity` waits without a limit. */
    requestTimeoutMs?: number;

    /** Requests that may wait for their answers at once, 1 to 32,768. Default 1,024. One more is rejected. */
    maxRequests?: number;

    /** Bytes that may wait to be sent. Default 1 MiB. A request that comes beyond it is rejected. */
    maxBufferedBytes?: number;

    /** Whether the client makes a broken connection again by itself, and resumes there or logs in again. Default true. */
    reconnect?: boolean;

    /** The wait before the first attempt to reconnect. It doubles with each attempt; a random part, at most half, is left out. Default 250. */
    reconnectDelayMs?: number;

    /** The longest wait between two attempts. Default 5,000. */
    maxReconnectDelayMs?: number;

    /** How long after a break attempts are made. Default one day. At least one attempt is made. */
    reconnectTimeoutMs?: number;

    /**
     * Silence of the server after which the client asks for a sign of life. When none comes for as long again, the connection counts as
     * broken. Default 10,000. `Infinity` turns this off.
     */
    keepAliveMs?: number;

    /** What the client knows about the network and the page. Default: the browser's `navigator.onLine` and page visibility; none in Node. */
    network?: NetworkSignals;
}

export type LinkSettings = Required<LinkOptions>;

const defaults = {
    connectTimeoutMs: 10_000,
    requestTimeoutMs: 10_000,
    maxRequests: 1024,
    maxBufferedBytes: 1024 * 1024,
    reconnect: true,
    reconnectDelayMs: 250,
    maxReconnectDelayMs: 5000,
    reconnectTimeoutMs: 86_400_000,
    keepAliveMs: 10_000,
};

const minima = {
    connectTimeoutMs: 1,
    requestTimeoutMs: 1,
    maxRequests: 1,
    maxBufferedBytes: 4096,
    reconnectDelayMs: 0,
    maxReconnectDelayMs: 0,
    reconnectTimeoutMs: 0,
    keepAliveMs: 10,
};

/**
 * Fills in the defaults. Numbers that are not allowed throw here, so that a mistake shows at the first call.
 * @param network The default of the option `network`.
 * @param more The least values of further options.
 */
export function linkSettings<TOptions extends LinkOptions>(
    options: TOptions, network: NetworkSignals, more: Record<string, number> = {},
): TOptions & LinkSettings {
    const webSocket = options.webSocket ?? (globalThis.WebSocket as LinkOptions["webSocket"]);
    if (webSocket === undefined) {
        throw new TypeError("There is no global WebSocket. Pass the option webSocket: that of the npm package ws.");
    }
    const settings = { ...defaults, network, ...options, webSocket };
    for (const [name, min] of Object.entries({ ...minima, ...more })) {
        const value = settings[name as keyof typeof minima];
        if (!(value >= min)) {
            throw new RangeError(`${name} is ${value}; it must be at least ${min}.`);
        }
    }
    if (settings.maxRequests > 32_768) {
        throw new RangeError(`maxRequests is ${settings.maxRequests}; it must be at most 32768.`);
    }
    return settings;
}

/** The addresses of a server, or of all servers of a cluster. */
export type ServerAddress = string | URL | readonly (string | URL)[];

export function urlsOf(url: ServerAddress): string[] {
    const urls = [url].flat().map(String);
    if (urls.length === 0) {
        throw new RangeError("The list of servers is empty.");
    }
    return urls;
}
