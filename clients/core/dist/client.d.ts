import { type CloseReason } from "./closeReasons.js";
import type { ClosedEvent, ReconnectingEvent } from "./events.js";
import { type SessionState } from "./lastingLink.js";
import { type LinkOptions, type ServerAddress } from "./options.js";
import { type PacketType } from "./packetType.js";
import { type RequestOptions } from "./requests.js";
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
    request<TMessage, TAnswer>(type: PacketType<TMessage>, message: TMessage, answer: PacketType<TAnswer>, options?: RequestOptions): Promise<TAnswer>;
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
    reconnected: {
        readonly recovered: boolean;
    };
    /** The last event. */
    closed: ClosedEvent;
}
/** Answers a request of the server. It does nothing and returns false for a one-way packet, and when the connection has ended. */
export type Reply = <TMessage>(type: PacketType<TMessage>, message: TMessage) => boolean;
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
export declare class GameClient<TToken = string> {
    #private;
    /**
     * @param url For instance `wss://game.example.org/ws`. For servers that share sessions a list: the client goes to the first one that
     * takes it.
     */
    constructor(url: ServerAddress, options?: ClientOptions<TToken>);
    /** Whether the client has a connection. It may change at any moment. `new` before `connect` has succeeded. */
    get state(): SessionState | "new";
    /** What another client needs to resume the session. Keep it where only this player can read it. Undefined when there is none. */
    get resume(): Resume<TToken> | undefined;
    /** Resolves when the session has ended, after `closed` was raised. Never rejects. */
    get closed(): Promise<ClosedEvent>;
    /**
     * Calls the handler for each event of this name. A handler that throws is reported on the console.
     * @returns A function that removes the handler.
     */
    on<TName extends keyof ClientEvents>(name: TName, handler: (event: ClientEvents[TName]) => void): () => void;
    /**
     * Calls the handler for each packet of this kind that answers no request. A handler that throws is reported on the console. A packet
     * that has no handler is dropped. One that is malformed closes the connection.
     * @returns A function that removes the handler.
     * @throws Error The packet has a handler.
     */
    handle<TMessage>(type: PacketType<TMessage>, handler: (message: TMessage, reply: Reply) => void): () => void;
    /**
     * Connects, and begins the session by the option `enter`. May be repeated after a failure.
     * @param signal Gives up connecting. It has no effect on the client after that.
     * @throws ConnectError No server answered in time, or all refused. What `enter` throws is thrown here too.
     * @throws ConnectionClosedError `close` was called meanwhile.
     */
    connect(signal?: AbortSignal): Promise<void>;
    /**
     * Sends a one-way packet.
     * @returns False when it was dropped: there is no connection now, or more than `maxBufferedBytes` wait to be sent.
     * @throws TypeError The message cannot be encoded; the text names the packet and the member.
     */
    send<TMessage>(type: PacketType<TMessage>, message: TMessage): boolean;
    /** Sends a request and awaits its answer; during a break it waits for the next connection. */
    request<TMessage, TAnswer>(type: PacketType<TMessage>, message: TMessage, answer: PacketType<TAnswer>, options?: GameRequestOptions): Promise<TAnswer>;
    /**
     * Says that the server has announced why it is about to close. Call it in the handler of that packet; it counts for the connection that
     * is there now.
     * @param retryAfterMs With `ServerShutdown`: how long to wait before the first attempt to return, at most 1 hour. 0: not said.
     */
    expectClose(reason: CloseReason, message?: string, retryAfterMs?: number): void;
    /**
     * Closes the connection in order, or ends the attempts to reconnect. Done when `closed` has been raised. While `connect` runs, that
     * fails, and `closed` is not raised.
     */
    close(): Promise<void>;
}
