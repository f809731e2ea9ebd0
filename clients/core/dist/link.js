import { CloseReasons, reasonOfCloseCode } from "./closeReasons.js";
import { ConnectError } from "./errors.js";
import { decodePackets } from "./wire.js";
// A server that asks for a longer wait gets this one.
const maxAdviceMs = 3_600_000;
const subprotocol = "playchat.v1";
const closeRequested = 1000;
/** One WebSocket from open to end. It ends once: by the peer, by `close`, or by `abort`, whichever comes first. */
export class Link {
    closed;
    #socket;
    #end;
    #farewell; // what the server has announced about its close
    #resolveClosed;
    constructor(socket, onPacket) {
        this.#socket = socket;
        this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
        socket.onmessage = (event) => this.#receive(event.data, onPacket);
        socket.onclose = (event) => {
            this.#finish(reasonOfCloseCode(event.code), event.reason || undefined);
        };
        socket.onerror = null; // the close event follows and says all there is
    }
    /**
     * Connects.
     * @throws ConnectError The server did not answer in time, or refused.
     */
    static open(url, settings, signal, onPacket) {
        return new Promise((resolve, reject) => {
            signal?.throwIfAborted();
            const socket = new settings.webSocket(url, subprotocol);
            socket.binaryType = "arraybuffer";
            const settle = () => {
                clearTimeout(timer);
                signal?.removeEventListener("abort", aborted);
                socket.onopen = socket.onclose = socket.onmessage = null;
                socket.onerror = () => { }; // ws throws an error event that nothing listens to
            };
            const fail = (error) => {
                settle();
                socket.close();
                reject(error);
            };
            const aborted = () => fail(signal?.reason);
            const timer = setTimeout(() => {
                fail(new ConnectError(`${url} did not answer within ${settings.connectTimeoutMs} ms.`));
            }, Math.min(settings.connectTimeoutMs, 0x7fffffff));
            signal?.addEventListener("abort", aborted);
            socket.onopen = () => {
                settle();
                resolve(new Link(socket, onPacket));
            };
            socket.onclose = socket.onerror = () => {
                fail(new ConnectError(`Cannot connect to ${url}. Check the address, and whether the server is running.`));
            };
        });
    }
    get isOpen() {
        return this.#end === undefined && this.#socket.readyState === 1;
    }
    /** What the server has announced, also before the end. */
    get farewell() {
        return this.#farewell;
    }
    get bufferedBytes() {
        return this.#socket.bufferedAmount;
    }
    /** @returns False when the link has ended or is ending: the bytes will not go out. */
    send(bytes) {
        if (!this.isOpen) {
            return false;
        }
        this.#socket.send(bytes);
        return true;
    }
    /** The server has said why it is about to close. */
    expectClose(reason, message, retryAfterMs, endpoint) {
        this.#farewell = {
            reason,
            message: message || undefined,
            retryAfterMs: reason === CloseReasons.ServerShutdown ? Math.min(retryAfterMs, maxAdviceMs) : 0,
            endpoint,
        };
    }
    /** Sends what is queued, then closes. */
    close() {
        this.#socket.close(closeRequested);
    }
    /** Ends at once. The socket's own end may take long on a dead network, so nothing waits for it. */
    abort(reason, message) {
        this.#finish(reason, message);
        this.#socket.close();
    }
    #receive(data, onPacket) {
        const packets = data instanceof ArrayBuffer ? decodePackets(data) : undefined;
        if (packets === undefined) {
            this.abort(CloseReasons.ProtocolViolation);
            return;
        }
        for (const packet of packets) {
            if (this.#end !== undefined) {
                return;
            }
            onPacket(this, packet);
        }
    }
    #finish(reason, message) {
        if (this.#end !== undefined) {
            return;
        }
        this.#end = this.#farewell ?? { reason, message, retryAfterMs: 0 };
        this.#socket.onmessage = this.#socket.onclose = null;
        this.#socket.onerror = () => { };
        this.#resolveClosed(this.#end);
    }
}
