import { CloseReasons, type ClosedEvent, ConnectionClosedError, type SessionState } from "@playchat/core";
import { Emitter, LastingLink, type Link, type LinkEnd, encodePacket } from "@playchat/core/parts";
import { ChatError } from "./errors.js";
import type { ChatEvents } from "./events.js";
import { ErrorCode } from "./gen/error_pb.js";
import type { SResumeRes } from "./gen/login_pb.js";
import { PacketId } from "./gen/packets_pb.js";
import { LoginState } from "./login.js";
import type { Settings } from "./options.js";
import { requests } from "./packets.js";
import { ChatRequests } from "./pending.js";
import { PacketReceiver, sendHeartbeat } from "./receiver.js";
import { mayPass, mayReturn } from "./reconnect.js";
import { SessionRestart } from "./restart.js";
import { type RoomRecovery, RoomTracker } from "./rooms.js";
import { RequestSender } from "./sender.js";

/**
 * What a client does on each of its connections, one after the other: it resumes its session there, or logs in again, until the session
 * ends.
 */
export class Session {
    readonly events = new Emitter<ChatEvents>();
    readonly pending = new ChatRequests();
    readonly rooms = new RoomTracker();
    readonly login = new LoginState();
    readonly sender: RequestSender;
    /** Whether the client goes to another server when one asks it to: it has to know the address of one. */
    readonly followsRedirects: boolean;
    readonly #links: LastingLink;
    readonly #receiver: PacketReceiver;
    #restart: SessionRestart | undefined; // of a session that the server does not know, until the client is in its rooms again
    #isMoving = false; // from a redirect of a request until a server has let the client in

    constructor(
        urls: readonly string[],
        private readonly settings: Settings,
    ) {
        this.followsRedirects = settings.reconnect && urls.length > 1;
        this.sender = new RequestSender(this.pending, this.login, settings);
        this.#links = new LastingLink(urls, settings, {
            onPacket: (link, packet) => this.#receiver.onPacket(link, packet),
            broke: (why) => this.pending.hold(why),
            enter: (link, broken) => this.#enter(link, broken),
            mayReturn: (end) => this.#mayReturn(end),
            mayPass,
            reconnecting: (event) => this.events.emit("reconnecting", event),
            closed: (event, why) => {
                this.pending.close(why);
                this.events.emit("closed", event);
            },
        });
        const moveTo = (link: Link, endpoint: string): boolean => this.#moveTo(link, endpoint);
        this.#receiver = new PacketReceiver(this.pending, this.rooms, this.login, this.#links.probe, this.events, moveTo);
    }

    get state(): SessionState {
        return this.#links.state;
    }

    get closed(): Promise<ClosedEvent> {
        return this.#links.closed;
    }

    /** Makes the first connection. */
    open(signal: AbortSignal | undefined): Promise<void> {
        return this.#links.open(signal, (link) => this.pending.release(link));
    }

    /**
     * Resumes a session of an earlier client, in place of a login. Like a login it is sent again where a server sends the client.
     * @returns What became of its rooms. What was missed there follows as events.
     */
    async resume(): Promise<RoomRecovery[]> {
        let rooms: RoomRecovery[] = [];
        const finished = (recovered: RoomRecovery[]): void => void (rooms = recovered);
        const { request, options } = this.#resumption(() => this.#links.current!, finished);
        const answer = await this.sender.request(requests.resume, request, options);
        if (answer.restored) {
            const why = (): Error => new ConnectionClosedError(CloseReasons.ServerShutdown);
            await new SessionRestart(this.#context()).run(this.#links.current!, true, finished, why);
        }
        return rooms;
    }

    /** Logs out and closes, or ends the attempts to reconnect. */
    close(): Promise<void> {
        return this.#links.close((link) => {
            if (this.login.answer !== undefined) {
                link.send(encodePacket(PacketId.C_LOGOUT_NTF, 0, new Uint8Array()));
            }
        });
    }

    // A server without a resume window gives no token. A break is then the end, unless the server itself asks for the return.
    #mayReturn(end: LinkEnd): boolean {
        const { resumeToken, credentials } = this.login;
        return mayReturn(end) && (this.#isMoving || resumeToken.byteLength > 0 || (end.retryAfterMs > 0 && credentials !== undefined));
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
        this.#links.moveOn(endpoint);
        this.#isMoving = true;
        link.abort(CloseReasons.PeerClosed);
        return true;
    }

    async #enter(link: Link, broken: LinkEnd): Promise<void> {
        const finished = (rooms: RoomRecovery[]): void => {
            this.#links.entered();
            this.events.emit("reconnected", { rooms, recovered: rooms.every((room) => room.recovered) });
        };
        const { answer, credentials } = this.login;
        if (answer === undefined && credentials === undefined) {
            this.pending.release(link); // another server was named for the login, which is among the requests that wait
            finished([]);
            this.#isMoving = false;
            return;
        }
        // A session that a failed attempt has begun knows nothing of the rooms: the next attempt logs in, or without a login resumes it.
        const resumes = this.#restart === undefined || credentials === undefined;
        const resumed = resumes ? await this.#tryResume(link, finished) : undefined;
        if (this.#restart !== undefined || resumed?.restored !== false) {
            this.#restart ??= new SessionRestart(this.#context());
            const why = (): Error => new ConnectionClosedError(broken.reason, broken.message);
            await this.#restart.run(link, resumed !== undefined, finished, why);
            this.#restart = undefined;
        }
        this.#isMoving = false;
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
        const isBegun = this.#restart !== undefined; // by an attempt that has failed; the server lets go of the rooms that it had joined
        const places = isBegun ? [] : this.rooms.all().filter((room) => !leaves.some((leave) => leave.roomId === room.roomId));
        const request = {
            token: this.login.resumeToken,
            rooms: places.map((room) => ({ roomId: room.roomId, lastSequence: room.latestSequence, epoch: room.epoch })),
            clientVersion: this.settings.clientVersion,
            followsRedirects: this.followsRedirects,
        };
        const apply = (answer: SResumeRes): void => {
            this.login.resumed(answer);
            this.#links.probe.watch(link());
            if (answer.restored || isBegun) {
                return; // the client joins its rooms next
            }
            sendHeartbeat(link()); // tells the server that the new token has arrived, so that it may forget the used one
            // The resume did not name these rooms, so the server has let the player go, if it had not done so before.
            for (const { roomId } of leaves) {
                this.rooms.leave(roomId);
            }
            this.pending.completeLeaves(leaves);
            const recoveries = this.rooms.resume(answer.rooms);
            this.pending.release(link()); // before anything hears of the connection, or what is sent then would be dropped
            finished(recoveries);
        };
        return { request, options: { timeoutMs: this.settings.connectTimeoutMs, apply } };
    }

    #context(): ConstructorParameters<typeof SessionRestart>[0] {
        const { pending, rooms, sender, login, settings } = this;
        return { receiver: this.#receiver, pending, rooms, sender, login, settings };
    }
}
