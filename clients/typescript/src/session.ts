import { type CloseReason, CloseReasons, adviceOf } from "./closeReasons.js";
import { Emitter } from "./emitter.js";
import { ChatError, ConnectionClosedError } from "./errors.js";
import type { ChatEvents, ClosedEvent } from "./events.js";
import { ErrorCode } from "./gen/error_pb.js";
import type { SResumeRes } from "./gen/login_pb.js";
import { PacketId } from "./gen/packets_pb.js";
import { Link, type LinkEnd } from "./link.js";
import { LoginState } from "./login.js";
import { waitForAttempt } from "./network.js";
import type { Settings } from "./options.js";
import { requests } from "./packets.js";
import { PendingRequests } from "./pending.js";
import { SilenceProbe } from "./probe.js";
import { PacketReceiver, sendHeartbeat } from "./receiver.js";
import { backoffMs, mayPass, mayReturn } from "./reconnect.js";
import { SessionRestart } from "./restart.js";
import { type RoomRecovery, RoomTracker } from "./rooms.js";
import { RequestSender } from "./sender.js";
import { encodePacket } from "./wire.js";

export type SessionState = "connected" | "reconnecting" | "closed";

/**
 * What a client does on each of its connections, one after the other: it resumes its session there, or logs in again, until the session
 * ends. At most one connection exists at a time, so no packet of an older one arrives beside those of the newest.
 */
export class Session {
    readonly events = new Emitter<ChatEvents>();
    readonly pending = new PendingRequests();
    readonly rooms = new RoomTracker();
    readonly login = new LoginState();
    readonly sender: RequestSender;
    readonly closed: Promise<ClosedEvent>;
    readonly #probe: SilenceProbe;
    readonly #receiver: PacketReceiver;
    readonly #leaving = new AbortController();
    #state: SessionState = "connected";
    #link: Link | undefined; // the newest, also while it is being entered
    #restart: SessionRestart | undefined; // from a refused resume until the login that takes its place
    #server = 0; // the index of the URL that the next attempt begins with
    #isMoving = false; // from a redirect of a request until a server has let the client in
    #unsubscribe: () => void = () => {};
    #resolveClosed!: (event: ClosedEvent) => void;

    constructor(
        private readonly urls: readonly string[],
        private readonly settings: Settings,
    ) {
        this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
        this.sender = new RequestSender(this.pending, this.login, settings);
        this.#probe = new SilenceProbe(settings.reconnect ? settings.keepAliveMs : Infinity);
        const moveTo = (link: Link, endpoint: string): boolean => this.#moveTo(link, endpoint);
        this.#receiver = new PacketReceiver(this.pending, this.rooms, this.login, this.#probe, this.events, moveTo);
    }

    get state(): SessionState {
        return this.#state;
    }

    /** Whether the client goes to another server when one asks it to: it has to know the address of one. */
    get followsRedirects(): boolean {
        return this.settings.reconnect && this.urls.length > 1;
    }

    /** Makes the first connection. */
    async open(signal: AbortSignal | undefined): Promise<void> {
        const link = await this.#connect(signal);
        this.pending.release(link);
        this.#unsubscribe = this.settings.network.subscribe(() => this.#probe.ask());
        void this.#run(link);
    }

    /**
     * Resumes a session of an earlier client, in place of a login. Like a login it is sent again where a server sends the client.
     * @returns What became of its rooms. What was missed there follows as events.
     */
    async resume(): Promise<RoomRecovery[]> {
        let rooms: RoomRecovery[] = [];
        const finished = (recovered: RoomRecovery[]): void => void (rooms = recovered);
        const { request, options } = this.#resumption(() => this.#link!, finished);
        const answer = await this.sender.request(requests.resume, request, options);
        if (answer.restored) {
            const why = (): Error => new ConnectionClosedError(CloseReasons.ServerShutdown);
            await new SessionRestart(this.#context()).run(this.#link!, true, finished, why);
        }
        return rooms;
    }

    /** Logs out and closes, or ends the attempts to reconnect. */
    async close(): Promise<void> {
        this.#leaving.abort(new ConnectionClosedError(CloseReasons.LocalClose));
        const link = this.#link;
        if (link?.isOpen) {
            if (this.login.answer !== undefined) {
                link.send(encodePacket(PacketId.C_LOGOUT_NTF, 0, new Uint8Array()));
            }
            link.close();
            // A server that does not answer the close must not keep the caller waiting.
            const timer = setTimeout(() => link.abort(CloseReasons.LocalClose), 2000);
            void link.closed.then(() => clearTimeout(timer));
        }
        await this.closed;
    }

    async #run(first: Link): Promise<void> {
        let link: Link | undefined = first;
        while (link !== undefined) {
            const end: LinkEnd = await link.closed;
            this.#probe.stop();
            link = await this.#comeBack(end);
        }
    }

    /** Makes attempts until one succeeds, or ends the session. */
    async #comeBack(broken: LinkEnd): Promise<Link | undefined> {
        if (this.#leaving.signal.aborted) {
            return this.#end(CloseReasons.LocalClose, undefined, undefined);
        }
        if (!this.#mayComeBack(broken)) {
            return this.#end(broken.reason, broken.message, undefined);
        }
        this.#state = "reconnecting";
        this.pending.hold(() => new ConnectionClosedError(broken.reason, broken.message));
        // The system of a frozen server still accepts connections, so an attempt there takes the whole timeout. A server that lives says why
        // it closes.
        const isSilent = broken.reason === CloseReasons.IdleTimeout && broken.message === undefined;
        if (isSilent || broken.reason === CloseReasons.ServerShutdown || broken.reason === CloseReasons.NodeFenced) {
            this.#moveOn(broken.endpoint);
        }
        const { network, reconnectDelayMs, maxReconnectDelayMs, reconnectTimeoutMs } = this.settings;
        const giveUpAt = Date.now() + reconnectTimeoutMs + broken.retryAfterMs;
        let adviceMs = broken.retryAfterMs || (adviceOf(broken.reason) === "reconnect-later" ? maxReconnectDelayMs : 0);
        for (let attempt = 1; ; attempt++) {
            const delayMs = adviceMs > 0 ? adviceMs : backoffMs(attempt, reconnectDelayMs, maxReconnectDelayMs);
            const { reason, message } = broken;
            this.events.emit("reconnecting", { attempt, delayMs, reason, message, online: network.online });
            const waited = await waitForAttempt(network, delayMs, adviceMs === 0, this.#leaving.signal);
            if (waited === "changed") {
                attempt = 0; // what was learned about the network no longer holds: the next waits are short again
            }
            try {
                return await this.#return(broken);
            } catch (error) {
                if (this.#leaving.signal.aborted) {
                    return this.#end(CloseReasons.LocalClose, undefined, undefined);
                }
                const farewell = this.#link?.farewell;
                const asksBack = (farewell?.retryAfterMs ?? 0) > 0;
                if (!(asksBack || mayPass(error))) {
                    const why = error instanceof ConnectionClosedError ? error.reason : broken.reason;
                    return this.#end(why, error instanceof Error ? error.message : broken.message, error);
                }
                if (Date.now() >= giveUpAt) {
                    return this.#end(broken.reason, broken.message, error);
                }
                adviceMs = farewell?.retryAfterMs ?? 0;
            }
        }
    }

    // A server without a resume window gives no token. A break is then the end, unless the server itself asks for the return.
    #mayComeBack(end: LinkEnd): boolean {
        const { resumeToken, credentials } = this.login;
        return this.settings.reconnect && mayReturn(end)
            && (this.#isMoving || resumeToken.byteLength > 0 || (end.retryAfterMs > 0 && credentials !== undefined));
    }

    /** Makes one attempt. When it fails, its connection has ended. */
    async #return(broken: LinkEnd): Promise<Link> {
        const link = await this.#connect(this.#leaving.signal);
        try {
            await this.#enter(link, broken);
        } catch (error) {
            this.#moveOn(error instanceof ChatError ? error.endpoint : link.farewell?.endpoint);
            link.abort(CloseReasons.LocalClose);
            throw error;
        }
        this.#isMoving = false;
        return link;
    }

    /** Chooses the server of the next connection: the one that this server has named, if one URL alone has its host, or the next. */
    #moveOn(named = ""): void {
        const host = named.slice(0, named.lastIndexOf(":"));
        const matches = [...this.urls.keys()].filter((i) => host !== "" && i !== this.#server && new URL(this.urls[i]!).hostname === host);
        this.#server = matches.length === 1 ? matches[0]! : (this.#server + 1) % this.urls.length;
    }

    /**
     * Leaves this server for one that takes a request. The client resumes there, and sends the request again.
     * @returns False when the client stays, and the request fails.
     */
    #moveTo(link: Link, endpoint: string): boolean {
        const { answer, resumeToken } = this.login;
        if (!this.followsRedirects || (answer !== undefined && resumeToken.byteLength === 0)) {
            return false;
        }
        this.#moveOn(endpoint);
        this.#isMoving = true;
        link.abort(CloseReasons.PeerClosed);
        return true;
    }

    async #connect(signal: AbortSignal | undefined): Promise<Link> {
        this.#link = undefined;
        for (let failures = 1; ; failures++) {
            try {
                const url = this.urls[this.#server]!;
                this.#link = await Link.open(url, this.settings, signal, (link, packet) => this.#receiver.onPacket(link, packet));
                return this.#link;
            } catch (error) {
                this.#moveOn();
                if (failures >= this.urls.length || signal?.aborted) {
                    throw error;
                }
            }
        }
    }

    async #enter(link: Link, broken: LinkEnd): Promise<void> {
        const finished = (rooms: RoomRecovery[]): void => {
            this.#state = "connected";
            this.events.emit("reconnected", { rooms, recovered: rooms.every((room) => room.recovered) });
        };
        const { answer, credentials } = this.login;
        if (answer === undefined && credentials === undefined) {
            finished([]); // another server was named for the login, which is among the requests that wait
            this.pending.release(link);
            return;
        }
        const resumed = this.#restart === undefined ? await this.#tryResume(link, finished) : undefined;
        if (resumed?.restored !== false) {
            // From here on each later attempt logs in: a session that a failed attempt has begun knows nothing of the rooms.
            this.#restart ??= new SessionRestart(this.#context());
            const why = (): Error => new ConnectionClosedError(broken.reason, broken.message);
            await this.#restart.run(link, resumed !== undefined, finished, why);
            this.#restart = undefined;
        }
        this.pending.release(link);
    }

    /** @returns `undefined` when the server does not know the session any more, and the client can log in. */
    async #tryResume(link: Link, finished: (rooms: RoomRecovery[]) => void): Promise<SResumeRes | undefined> {
        if (this.login.resumeToken.byteLength === 0) {
            return undefined;
        }
        try {
            const { request, options } = this.#resumption(() => link, finished);
            return await this.sender.ask(link, requests.resume, request, options);
        } catch (error) {
            if (error instanceof ChatError && error.code === ErrorCode.RESUME_REFUSED && this.login.credentials !== undefined) {
                return undefined;
            }
            throw error;
        }
    }

    /**
     * A resume with what its answer changes.
     * @param link The connection that the answer comes on, asked for when it is there.
     */
    #resumption(link: () => Link, finished: (rooms: RoomRecovery[]) => void) {
        const leaves = this.pending.leaves();
        const places = this.rooms.all().filter((room) => !leaves.some((leave) => leave.roomId === room.roomId));
        const request = {
            token: this.login.resumeToken,
            rooms: places.map((room) => ({ roomId: room.roomId, lastSequence: room.latestSequence, epoch: room.epoch })),
            clientVersion: this.settings.clientVersion,
            followsRedirects: this.followsRedirects,
        };
        const apply = (answer: SResumeRes): void => {
            this.login.resumed(answer);
            this.#probe.watch(link());
            if (answer.restored) {
                return; // the server has restarted: the client joins its rooms next
            }
            sendHeartbeat(link()); // tells the server that the new token has arrived, so that it may forget the used one
            // The resume did not name these rooms, so the server has let the player go, if it had not done so before.
            for (const { roomId } of leaves) {
                this.rooms.leave(roomId);
            }
            this.pending.completeLeaves(leaves);
            finished(this.rooms.resume(answer.rooms));
        };
        return { request, options: { timeoutMs: this.settings.connectTimeoutMs, apply } };
    }

    #context(): ConstructorParameters<typeof SessionRestart>[0] {
        const { pending, rooms, sender, login, settings } = this;
        return { receiver: this.#receiver, pending, rooms, sender, login, settings };
    }

    #end(reason: CloseReason, message: string | undefined, error: unknown): undefined {
        this.#state = "closed";
        this.#probe.stop();
        this.#unsubscribe();
        this.pending.close(() => new ConnectionClosedError(reason, message));
        const event = { reason, message, error };
        this.events.emit("closed", event);
        this.#resolveClosed(event);
    }
}
