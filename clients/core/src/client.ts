import { type CloseReason, CloseReasons, adviceOf } from "./closeReasons.js";
import { Emitter } from "./emitter.js";
import { ConnectionClosedError, MalformedPacketError, RequestFailedError, TooManyRequestsError } from "./errors.js";
import type { ClosedEvent, ReconnectingEvent } from "./events.js";
import { LastingLink, type SessionState } from "./lastingLink.js";
import type { Link } from "./link.js";
import { browserNetwork } from "./network.js";
import { type LinkOptions, type LinkSettings, type ServerAddress, linkSettings, urlsOf } from "./options.js";
import { type PacketType, decode } from "./packetType.js";
import { type PendingRequest, PendingRequests } from "./pending.js";
import { mayPass } from "./reconnect.js";
import { type Outcome, type RequestOptions, outcomeOf, untilEnd } from "./requests.js";
import { type Packet, encodePacket, heartbeatPacketId } from "./wire.js";

/** What the server needs to continue a session on another connection. */
export interface Resume<TToken> {
    /** From the newest answer that had one. */
    readonly token: TToken;
    /** How many packets came on the connection that the token came on, heartbeats left out. */
    readonly framesReceived: number;
}

/** A connection that is being entered: what it sends goes out before everything else. */
export interface Entry<TToken> {
    /** Undefined when there is no session to resume: log in, join, or whatever your server asks for. */
    readonly resume: Resume<TToken> | undefined;

    /** As `GameClient.send`, on this connection. */
    send<TMessage>(type: PacketType<TMessage>, message: TMessage): boolean;

    /** As `GameClient.request`, on this connection alone: its end fails the request. */
    request<TMessage, TAnswer>(
        type: PacketType<TMessage>, message: TMessage, answer: PacketType<TAnswer>, options?: RequestOptions,
    ): Promise<TAnswer>;

    /** Awaits the next packet of this kind, which then does not go to its handler. */
    next<TMessage>(type: PacketType<TMessage>, options?: RequestOptions): Promise<TMessage>;
}

/** What became of the session on a connection. */
export interface Entered<TToken> {
    /** What to resume with when the connection breaks. Without it the next connection begins a new session. */
    readonly token?: TToken | undefined;
    /** Whether the session continues and nothing is missing, as the server says. Default false. */
    readonly recovered?: boolean | undefined;
}

/** Options of a `GameClient`. */
export interface ClientOptions<TToken> extends LinkOptions {
    /**
     * Begins or resumes your session on a new connection: the first one, and each one after a break. Other packets wait for its end, at
     * most 10,000. When it throws on the first connection, `connect` throws the same. After a break, a connection that ended and an answer
     * that did not come lead to another attempt; everything else ends the client. Default: nothing is sent.
     */
    enter?: (entry: Entry<TToken>) => Promise<Entered<TToken> | void>;

    /** The packets with `IsFailure`: as answers they fail a request with `RequestFailedError`. */
    failures?: readonly PacketType<unknown>[];

    /** What an earlier client had in `resume`, for instance before the page was loaded again. */
    resume?: Resume<TToken> | undefined;
}

export interface GameRequestOptions extends RequestOptions {
    /**
     * Sends the request again when the connection breaks before its answer: for requests that do no harm when the server carries them out
     * twice. Default false: it then fails with `ConnectionClosedError`.
     */
    repeat?: boolean;
}

/** The events of a client, by name. */
export interface ClientEvents {
    reconnecting: ReconnectingEvent;
    /** `enter` has ended on a new connection. What was missed follows. */
    reconnected: { readonly recovered: boolean };
    /** The last event. */
    closed: ClosedEvent;
}

/** Answers a request of the server. It does nothing and returns false for a one-way packet, and when the connection has ended. */
export type Reply = <TMessage>(type: PacketType<TMessage>, message: TMessage) => boolean;

interface GameRequest extends PendingRequest {
    /** @returns False when the packet is not for this request. */
    take(packet: Packet): boolean;
}

type Named = Pick<PacketType<never>, "id" | "name">;

interface Wait {
    readonly id: number;
    readonly take: (packet: Packet) => void;
}

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
export class GameClient<TToken = string> {
    readonly #events = new Emitter<ClientEvents>();
    readonly #pending = new PendingRequests<GameRequest>();
    readonly #handlers = new Map<number, (packet: Packet, reply: Reply) => void>();
    readonly #failures: Map<number, PacketType<unknown>>;
    readonly #unhandled = new Set<number>(); // what the console was told about
    readonly #settings: ClientOptions<TToken> & LinkSettings;
    readonly #links: LastingLink;
    #isOpen = false; // from the first connection on, also after the end
    #opening: AbortController | undefined; // while `connect` runs
    #held: Packet[] | undefined = []; // until a connection is entered
    #waits: Wait[] = [];
    readonly #received = new WeakMap<Link, number>(); // packets, heartbeats left out: proto/PROTOCOL.md, "Heartbeat packet"
    #session: { readonly token: TToken; readonly link: Link } | undefined;
    #former: Resume<TToken> | undefined; // of an earlier client

    /**
     * @param url For instance `wss://game.example.org/ws`. For servers that share sessions a list: the client goes to the first one that
     * takes it.
     */
    constructor(url: ServerAddress, options: ClientOptions<TToken> = {}) {
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
    get state(): SessionState | "new" {
        return this.#isOpen ? this.#links.state : "new";
    }

    /** What another client needs to resume the session. Keep it where only this player can read it. Undefined when there is none. */
    get resume(): Resume<TToken> | undefined {
        return this.#session === undefined
            ? this.#former
            : { token: this.#session.token, framesReceived: this.#received.get(this.#session.link) ?? 0 };
    }

    /** Resolves when the session has ended, after `closed` was raised. Never rejects. */
    get closed(): Promise<ClosedEvent> {
        return this.#links.closed;
    }

    /**
     * Calls the handler for each event of this name. A handler that throws is reported on the console.
     * @returns A function that removes the handler.
     */
    on<TName extends keyof ClientEvents>(name: TName, handler: (event: ClientEvents[TName]) => void): () => void {
        return this.#events.on(name, handler);
    }

    /**
     * Calls the handler for each packet of this kind that answers no request. A handler that throws is reported on the console. A packet
     * that has no handler is dropped. One that is malformed closes the connection.
     * @returns A function that removes the handler.
     * @throws Error The packet has a handler.
     */
    handle<TMessage>(type: PacketType<TMessage>, handler: (message: TMessage, reply: Reply) => void): () => void {
        if (this.#handlers.has(type.id)) {
            throw new Error(`The packet ${type.name} (${type.id}) has a handler.`);
        }
        this.#handlers.set(type.id, ({ payload }, reply) => {
            const message = decode(type, payload);
            try {
                handler(message, reply);
            } catch (error) {
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
    async connect(signal?: AbortSignal): Promise<void> {
        if (this.#isOpen || this.#opening !== undefined) {
            throw new Error("The client is connected, or connects, or has ended. Make another one.");
        }
        this.#opening = new AbortController();
        const { signal: closed } = this.#opening;
        try {
            await this.#links.open(
                signal === undefined ? closed : AbortSignal.any([signal, closed]), (link) => this.#enter(link, false));
            this.#isOpen = true;
        } finally {
            this.#opening = undefined;
        }
    }

    /**
     * Sends a one-way packet.
     * @returns False when it was dropped: there is no connection now, or more than `maxBufferedBytes` wait to be sent.
     * @throws TypeError The message cannot be encoded; the text names the packet and the member.
     */
    send<TMessage>(type: PacketType<TMessage>, message: TMessage): boolean {
        const packet = encodePacket(type.id, 0, type.encode(message));
        const { link } = this.#pending;
        return link !== undefined && link.bufferedBytes <= this.#settings.maxBufferedBytes && link.send(packet);
    }

    /** Sends a request and awaits its answer; during a break it waits for the next connection. */
    request<TMessage, TAnswer>(
        type: PacketType<TMessage>, message: TMessage, answer: PacketType<TAnswer>, options: GameRequestOptions = {},
    ): Promise<TAnswer> {
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
    expectClose(reason: CloseReason, message = "", retryAfterMs = 0): void {
        this.#links.current?.expectClose(reason, message, retryAfterMs, "");
    }

    /**
     * Closes the connection in order, or ends the attempts to reconnect. Done when `closed` has been raised. While `connect` runs, that
     * fails, and `closed` is not raised.
     */
    async close(): Promise<void> {
        if (this.#isOpen) {
            await this.#links.close(() => {});
        } else if (this.#opening !== undefined) {
            this.#opening.abort(new ConnectionClosedError(CloseReasons.LocalClose));
            this.#links.current?.abort(CloseReasons.LocalClose);
        }
    }

    async #enter(link: Link, isReturn: boolean): Promise<void> {
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
        } finally {
            this.#waits = [];
            this.#held = hasEntered ? undefined : []; // what came on a failed attempt is dropped
            if (!hasEntered) {
                this.#links.probe.stop();
            }
        }
    }

    #entryOf(link: Link): Entry<TToken> {
        const timeoutMs = this.#settings.connectTimeoutMs;
        return {
            resume: this.resume,
            send: (type, message) => link.send(encodePacket(type.id, 0, type.encode(message))),
            request: async (type, message, answer, options = {}) => {
                const signal = untilEnd(link, options.signal);
                return this.#exchange(
                    type, message, answer, { timeoutMs, ...options, signal }, (request) => this.#pending.ask(link, request));
            },
            next: async (type, options = {}) => outcomeOf(options.timeoutMs ?? timeoutMs, untilEnd(link, options.signal), (outcome) => {
                const wait: Wait = { id: type.id, take: (packet) => complete(outcome, type, packet) };
                const index = this.#held?.findIndex((packet) => packet.id === type.id) ?? -1;
                if (index >= 0) {
                    const [packet] = this.#held!.splice(index, 1);
                    queueMicrotask(() => wait.take(packet!));
                } else {
                    this.#waits.push(wait);
                }
                return () => void (this.#waits = this.#waits.filter((other) => other !== wait));
            }),
        };
    }

    #exchange<TMessage, TAnswer>(
        type: PacketType<TMessage>, message: TMessage, answer: PacketType<TAnswer>,
        { timeoutMs = this.#settings.requestTimeoutMs, signal, repeat = false }: GameRequestOptions,
        send: (request: GameRequest) => number,
    ): Promise<TAnswer> {
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

    #takeAnswer<TAnswer>(
        packet: Packet, type: Named, answer: PacketType<TAnswer>, outcome: Outcome<TAnswer>,
    ): boolean {
        const failure = this.#failures.get(packet.id);
        if (packet.id === answer.id) {
            complete(outcome, answer, packet);
        } else if (failure !== undefined) {
            outcome.fail(failed(type, failure.name, packet.id, attempt(() => decode(failure, packet.payload))));
        } else if (this.#handlers.has(packet.id)) {
            return false; // a request of the server, whose numbers begin at 1 as well
        } else {
            outcome.fail(failed(type, `packet ${packet.id} in place of ${answer.name}`, packet.id, packet.payload));
        }
        return true;
    }

    #onPacket(link: Link, packet: Packet): void {
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
        } else if (this.#held === undefined) {
            this.#handle(link, packet);
        } else if (this.#held.push(packet) > maxHeld) {
            link.abort(CloseReasons.SlowConsumer);
        }
    }

    #handle(link: Link, packet: Packet): void {
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
        } catch (error) {
            console.error(error);
            link.abort(CloseReasons.ProtocolViolation, (error as Error).message);
        }
    }
}

function mayReconnect(reason: CloseReason): boolean {
    return adviceOf(reason) !== "do-not-reconnect";
}

function complete<TMessage>(outcome: Outcome<TMessage>, type: PacketType<TMessage>, { payload }: Packet): void {
    let message;
    try {
        message = decode(type, payload);
    } catch (error) {
        outcome.fail(error as MalformedPacketError);
        return;
    }
    outcome.succeed(message);
}

function attempt<T>(read: () => T): T | undefined {
    try {
        return read();
    } catch {
        return undefined; // the failure counts, whatever it says
    }
}

function failed(type: Named, what: string, packetId: number, answer: unknown): RequestFailedError {
    return new RequestFailedError(`The server answered ${type.name} (${type.id}) with ${what}.`, packetId, answer);
}
