import { CloseReasons, adviceOf } from "./closeReasons.js";
import { Emitter } from "./emitter.js";
import { ConnectionClosedError, MalformedPacketError, RequestFailedError, TooManyRequestsError } from "./errors.js";
import { LastingLink } from "./lastingLink.js";
import { browserNetwork } from "./network.js";
import { linkSettings, urlsOf } from "./options.js";
import { decode } from "./packetType.js";
import { PendingRequests } from "./pending.js";
import { mayPass } from "./reconnect.js";
import { outcomeOf, untilEnd } from "./requests.js";
import { encodePacket, heartbeatPacketId } from "./wire.js";
// What waits for the end of `enter`. A server that sends more before it has let the client in is another one than the client expects.
const maxHeld = 10_000;
const noBytes = new Uint8Array();
/**
 * A client of a game server on PlayChat.Core: packets over WebSocket, requests with answers, and one session over all connections.
 *
 * Set the handlers, then call `connect`. When the connection breaks, the client makes another one, with growing waits, and `enter` resumes
 * the session there. Requests that were made meanwhile go out then. What `send` gets meanwhile is dropped.
 *
 * A request ends with the answer or one of these: `RequestFailedError`, `MalformedPacketError`, `ConnectionClosedError`,
 * `RequestTimeoutError`, `TooManyRequestsError`, or the reason of your `AbortSignal`.
 *
 * Handlers are called one after the other, in the order in which the packets arrived. A packet that follows an answer may be handled before
 * the code that awaits the answer continues; within `enter` it is not.
 */
export class GameClient {
    #events = new Emitter();
    #pending = new PendingRequests();
    #handlers = new Map();
    #failures;
    #unhandled = new Set(); // what the console was told about
    #settings;
    #links;
    #isOpen = false; // from the first connection on, also after the end
    #opening; // while `connect` runs
    #held = []; // until a connection is entered
    #waits = [];
    #received = new WeakMap(); // packets, heartbeats left out: proto/PROTOCOL.md, "Heartbeat packet"
    #session;
    #former; // of an earlier client
    /**
     * @param url For instance `wss://game.example.org/ws`. For servers that share sessions a list: the client goes to the first one that
     * takes it.
     */
    constructor(url, options = {}) {
        this.#settings = linkSettings(options, browserNetwork);
        this.#failures = new Map(options.failures?.map((type) => [type.id, type]));
        this.#former = options.resume;
        this.#links = new LastingLink(urlsOf(url), this.#settings, {
            onPacket: (link, packet) => this.#onPacket(link, packet),
            broke: (why) => {
                this.#held = [];
                this.#pending.hold(why);
            },
            enter: (link) => this.#enter(link, true),
            mayReturn: (end) => end.retryAfterMs > 0 || mayReconnect(end.reason),
            mayPass: (error) => (error instanceof ConnectionClosedError ? mayReconnect(error.reason) : mayPass(error)),
            reconnecting: (event) => this.#events.emit("reconnecting", event),
            closed: (event, why) => {
                this.#pending.close(why);
                this.#events.emit("closed", event);
            },
        });
    }
    /** Whether the client has a connection. It may change at any moment. `new` before `connect` has succeeded. */
    get state() {
        return this.#isOpen ? this.#links.state : "new";
    }
    /** What another client needs to resume the session. Keep it where only this player can read it. Undefined when there is none. */
    get resume() {
        return this.#session === undefined
            ? this.#former
            : { token: this.#session.token, framesReceived: this.#received.get(this.#session.link) ?? 0 };
    }
    /** Resolves when the session has ended, after `closed` was raised. Never rejects. */
    get closed() {
        return this.#links.closed;
    }
    /**
     * Calls the handler for each event of this name. A handler that throws is reported on the console.
     * @returns A function that removes the handler.
     */
    on(name, handler) {
        return this.#events.on(name, handler);
    }
    /**
     * Calls the handler for each packet of this kind that answers no request. A handler that throws is reported on the console. A packet
     * that has no handler is dropped. One that is malformed closes the connection.
     * @returns A function that removes the handler.
     * @throws Error The packet has a handler.
     */
    handle(type, handler) {
        if (this.#handlers.has(type.id)) {
            throw new Error(`The packet ${type.name} (${type.id}) has a handler.`);
        }
        this.#handlers.set(type.id, ({ payload }, reply) => {
            const message = decode(type, payload);
            try {
                handler(message, reply);
            }
            catch (error) {
                // The application's code: its exception must not end the connection that delivered the packet.
                console.error(`The handler of ${type.name} (${type.id}) threw.`, error);
            }
        });
        return () => void this.#handlers.delete(type.id);
    }
    /**
     * Connects, and begins the session by the option `enter`. May be repeated after a failure.
     * @param signal Gives up connecting. It has no effect on the client after that.
     * @throws ConnectError No server answered in time, or all refused. What `enter` throws is thrown here too.
     * @throws ConnectionClosedError `close` was called meanwhile.
     */
    async connect(signal) {
        if (this.#isOpen || this.#opening !== undefined) {
            throw new Error("The client is connected, or connects, or has ended. Make another one.");
        }
        this.#opening = new AbortController();
        const { signal: closed } = this.#opening;
        try {
            await this.#links.open(signal === undefined ? closed : AbortSignal.any([signal, closed]), (link) => this.#enter(link, false));
            this.#isOpen = true;
        }
        finally {
            this.#opening = undefined;
        }
    }
    /**
     * Sends a one-way packet.
     * @returns False when it was dropped: there is no connection now, or more than `maxBufferedBytes` wait to be sent.
     * @throws TypeError The message cannot be encoded; the text names the packet and the member.
     */
    send(type, message) {
        const packet = encodePacket(type.id, 0, type.encode(message));
        const { link } = this.#pending;
        return link !== undefined && link.bufferedBytes <= this.#settings.maxBufferedBytes && link.send(packet);
    }
    /** Sends a request and awaits its answer; during a break it waits for the next connection. */
    request(type, message, answer, options = {}) {
        return this.#exchange(type, message, answer, options, (request) => {
            const { maxRequests, maxBufferedBytes } = this.#settings;
            if (this.#pending.count >= maxRequests || (this.#pending.link?.bufferedBytes ?? 0) > maxBufferedBytes) {
                throw new TooManyRequestsError("Too many requests wait. Try again in a moment.");
            }
            return this.#pending.add(request);
        });
    }
    /**
     * Says that the server has announced why it is about to close. Call it in the handler of that packet; it counts for the connection that
     * is there now.
     * @param retryAfterMs With `ServerShutdown`: how long to wait before the first attempt to return, at most 1 hour. 0: not said.
     */
    expectClose(reason, message = "", retryAfterMs = 0) {
        this.#links.current?.expectClose(reason, message, retryAfterMs, "");
    }
    /**
     * Closes the connection in order, or ends the attempts to reconnect. Done when `closed` has been raised. While `connect` runs, that
     * fails, and `closed` is not raised.
     */
    async close() {
        if (this.#isOpen) {
            await this.#links.close(() => { });
        }
        else if (this.#opening !== undefined) {
            this.#opening.abort(new ConnectionClosedError(CloseReasons.LocalClose));
            this.#links.current?.abort(CloseReasons.LocalClose);
        }
    }
    async #enter(link, isReturn) {
        this.#links.probe.watch(link);
        let hasEntered = false;
        try {
            const { token, recovered = false } = (await this.#settings.enter?.(this.#entryOf(link))) ?? {};
            this.#session = token === undefined ? undefined : { token, link };
            this.#former = undefined;
            this.#pending.release(link); // before anything hears of the connection, or what is sent then would be dropped
            if (isReturn) {
                this.#links.entered();
                this.#events.emit("reconnected", { recovered });
            }
            for (const packet of this.#held ?? []) {
                this.#handle(link, packet);
            }
            hasEntered = true;
        }
        finally {
            this.#waits = [];
            this.#held = hasEntered ? undefined : []; // what came on a failed attempt is dropped
            if (!hasEntered) {
                this.#links.probe.stop();
            }
        }
    }
    #entryOf(link) {
        const timeoutMs = this.#settings.connectTimeoutMs;
        return {
            resume: this.resume,
            send: (type, message) => link.send(encodePacket(type.id, 0, type.encode(message))),
            request: async (type, message, answer, options = {}) => {
                const signal = untilEnd(link, options.signal);
                return this.#exchange(type, message, answer, { timeoutMs, ...options, signal }, (request) => this.#pending.ask(link, request));
            },
            next: async (type, options = {}) => outcomeOf(options.timeoutMs ?? timeoutMs, untilEnd(link, options.signal), (outcome) => {
                const wait = { id: type.id, take: (packet) => complete(outcome, type, packet) };
                const index = this.#held?.findIndex((packet) => packet.id === type.id) ?? -1;
                if (index >= 0) {
                    const [packet] = this.#held.splice(index, 1);
                    queueMicrotask(() => wait.take(packet));
                }
                else {
                    this.#waits.push(wait);
                }
                return () => void (this.#waits = this.#waits.filter((other) => other !== wait));
            }),
        };
    }
    #exchange(type, message, answer, { timeoutMs = this.#settings.requestTimeoutMs, signal, repeat = false }, send) {
        return outcomeOf(timeoutMs, signal, (outcome) => {
            const payload = type.encode(message);
            const id = send({
                atMostOnce: !repeat,
                encode: (requestId) => encodePacket(type.id, requestId, payload),
                take: (packet) => this.#takeAnswer(packet, type, answer, outcome),
                fail: outcome.fail,
            });
            return () => this.#pending.remove(id);
        });
    }
    #takeAnswer(packet, type, answer, outcome) {
        const failure = this.#failures.get(packet.id);
        if (packet.id === answer.id) {
            complete(outcome, answer, packet);
        }
        else if (failure !== undefined) {
            outcome.fail(failed(type, failure.name, packet.id, attempt(() => decode(failure, packet.payload))));
        }
        else if (this.#handlers.has(packet.id)) {
            return false; // a request of the server, whose numbers begin at 1 as well
        }
        else {
            outcome.fail(failed(type, `packet ${packet.id} in place of ${answer.name}`, packet.id, packet.payload));
        }
        return true;
    }
    #onPacket(link, packet) {
        const { id, requestId } = packet;
        if (id === heartbeatPacketId) {
            if (requestId !== 0) {
                link.send(encodePacket(heartbeatPacketId, 0, noBytes));
            }
            return;
        }
        this.#received.set(link, (this.#received.get(link) ?? 0) + 1);
        if (requestId !== 0 && this.#pending.get(requestId)?.take(packet)) {
            return;
        }
        const wait = this.#waits.find((candidate) => candidate.id === id);
        if (wait !== undefined) {
            wait.take(packet);
        }
        else if (this.#held === undefined) {
            this.#handle(link, packet);
        }
        else if (this.#held.push(packet) > maxHeld) {
            link.abort(CloseReasons.SlowConsumer);
        }
    }
    #handle(link, packet) {
        const { id, requestId } = packet;
        const handler = this.#handlers.get(id);
        if (handler === undefined) {
            // A late answer, or a packet of a newer server.
            if (requestId === 0 && !this.#unhandled.has(id)) {
                this.#unhandled.add(id);
                console.warn(`Nothing handles packet ${id}.`);
            }
            return;
        }
        try {
            handler(packet, (type, message) => requestId !== 0 && link.send(encodePacket(type.id, requestId, type.encode(message))));
        }
        catch (error) {
            console.error(error);
            link.abort(CloseReasons.ProtocolViolation, error.message);
        }
    }
}
function mayReconnect(reason) {
    return adviceOf(reason) !== "do-not-reconnect";
}
function complete(outcome, type, { payload }) {
    let message;
    try {
        message = decode(type, payload);
    }
    catch (error) {
        outcome.fail(error);
        return;
    }
    outcome.succeed(message);
}
function attempt(read) {
    try {
        return read();
    }
    catch {
        return undefined; // the failure counts, whatever it says
    }
}
function failed(type, what, packetId, answer) {
    return new RequestFailedError(`The server answered ${type.name} (${type.id}) with ${what}.`, packetId, answer);
}
