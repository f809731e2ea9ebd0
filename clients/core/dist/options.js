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
export function linkSettings(options, network, more = {}) {
    const webSocket = options.webSocket ?? globalThis.WebSocket;
    if (webSocket === undefined) {
        throw new TypeError("There is no global WebSocket. Pass the option webSocket: that of the npm package ws.");
    }
    const settings = { ...defaults, network, ...options, webSocket };
    for (const [name, min] of Object.entries({ ...minima, ...more })) {
        const value = settings[name];
        if (!(value >= min)) {
            throw new RangeError(`${name} is ${value}; it must be at least ${min}.`);
        }
    }
    if (settings.maxRequests > 32_768) {
        throw new RangeError(`maxRequests is ${settings.maxRequests}; it must be at most 32768.`);
    }
    return settings;
}
export function urlsOf(url) {
    const urls = [url].flat().map(String);
    if (urls.length === 0) {
        throw new RangeError("The list of servers is empty.");
    }
    return urls;
}
