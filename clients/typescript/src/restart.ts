import type { Link } from "@playchat/core/parts";
import { ChatError } from "./errors.js";
import { ErrorCode } from "./gen/error_pb.js";
import type { SRoomChatNtf } from "./gen/room_pb.js";
import { logInByToken } from "./kept.js";
import type { LoginState } from "./login.js";
import type { Settings } from "./options.js";
import { requests } from "./packets.js";
import type { ChatRequests } from "./pending.js";
import { type PacketReceiver, sendHeartbeat } from "./receiver.js";
import { mayPass } from "./reconnect.js";
import type { JoinedRoom, RoomRecovery, RoomTracker } from "./rooms.js";
import type { RequestSender } from "./sender.js";

// As many of one room's messages are read and kept for the return. With more, the room is not recovered.
const maxMissedMessages = 1000;

// A room leaves out more sequences than these when its server was killed. What was said last may be lost then, whatever the history has:
// proto/PROTOCOL.md, "Sequences".
const skippedSequences = 50_000_000n;

interface ReturnedRoom {
    readonly recovery: RoomRecovery;
    readonly missed: readonly SRoomChatNtf[];
}

/** What a restart needs of its client. */
export interface RestartContext {
    readonly receiver: PacketReceiver;
    readonly pending: ChatRequests;
    readonly rooms: RoomTracker;
    readonly sender: RequestSender;
    readonly login: LoginState;
    readonly settings: Settings;
}

/**
 * Brings a client back whose session could not be resumed: logs in again, enters its rooms, and reads what was said there meanwhile.
 *
 * `run` is part of an attempt to reconnect and is repeated as a whole when the attempt fails. What the rooms say while it runs is held back.
 * The rooms and their sequences are those at the break, because entering a room replaces what the client knows of it.
 */
export class SessionRestart {
    readonly #leaves;
    readonly #places: readonly JoinedRoom[];
    #isRestored = false; // the server knew the token, and not the session: it has restarted

    constructor(private readonly context: RestartContext) {
        this.#leaves = context.pending.leaves();
        this.#places = context.rooms.all().filter((room) => !this.#leaves.some((leave) => leave.roomId === room.roomId));
    }

    /**
     * Makes one attempt.
     * @param isLoggedIn Whether a resume token has logged the client in already.
     * @param finished Runs between the last step of the restart and the first live message.
     * @param why What requests fail with that had gone out on an earlier connection.
     */
    async run(link: Link, isLoggedIn: boolean, finished: (rooms: RoomRecovery[]) => void, why: () => Error): Promise<void> {
        const { receiver, sender, login, settings } = this.context;
        receiver.holdRooms();
        this.#isRestored ||= isLoggedIn;
        if (!isLoggedIn) {
            const ask = (more: { loginToken?: Uint8Array }) =>
                sender.ask(link, requests.login, { ...login.credentials, ...more }, { timeoutMs: settings.loginTimeoutMs });
            const before = login.answer?.playerId;
            const { playerId } = await (login.keep === undefined ? ask({}) : logInByToken(login.keep, (loginToken) => ask({ loginToken })));
            if (before !== undefined && playerId !== before) {
                throw new ChatError(ErrorCode.LOGIN_TOKEN_REFUSED, "This device is logged in as another player now. Log in again.");
            }
        }
        const rooms: ReturnedRoom[] = [];
        for (const place of this.#places) {
            rooms.push(await this.#enter(link, place));
        }
        // The echo has the restart finished in order with what the rooms say.
        await sender.ask(link, requests.echo, {}, { apply: () => this.#finish(link, rooms, finished, why) });
    }

    async #enter(link: Link, place: JoinedRoom): Promise<ReturnedRoom> {
        let joined;
        try {
            joined = await this.context.sender.ask(link, requests.joinRoom, { roomId: place.roomId }, {});
        } catch (error) {
            if (!isFinal(error)) {
                throw error;
            }
            const recovery = {
                roomId: place.roomId,
                name: place.name,
                isMember: false,
                recovered: false,
                missedMessages: 0,
                lastSequence: place.latestSequence,
                latestSequence: 0n,
            };
            return { recovery, missed: [] };
        }
        if (this.#isRestored) {
            this.context.rooms.expectReturns(place);
        }
        const behind = joined.latestSequence - place.latestSequence;
        // Less than 0: a database of another time. In a cluster a large step says nothing, but another epoch does.
        const hasSkipped = behind < 0n || joined.epoch !== place.epoch || (joined.epoch === 0 && behind > skippedSequences);
        const missed = hasSkipped ? undefined : await this.#read(link, place, joined.latestSequence);
        const recovery = {
            roomId: place.roomId,
            name: joined.name,
            isMember: true,
            recovered: missed !== undefined,
            missedMessages: missed?.length ?? (hasSkipped ? 0 : joined.epoch === 0 ? Number(behind) : 1),
            lastSequence: place.latestSequence,
            latestSequence: joined.latestSequence,
        };
        return { recovery, missed: missed ?? [] };
    }

    /**
     * Reads what players said from the break to the return. What comes after that is live.
     * @returns `undefined` when the server does not have all of it, or it is too much.
     */
    async #read(link: Link, place: JoinedRoom, through: bigint): Promise<SRoomChatNtf[] | undefined> {
        const missed: SRoomChatNtf[] = [];
        let after = place.latestSequence;
        while (after < through) {
            let page;
            try {
                page = await this.context.sender.ask(
                    link, requests.roomHistory, { roomId: place.roomId, position: { case: "afterSequence", value: after } }, {});
            } catch (error) {
                if (isFinal(error)) {
                    return undefined;
                }
                throw error;
            }
            missed.push(...page.messages.filter((message) => !message.system && message.sequence <= through));
            if (!page.complete || missed.length > maxMissedMessages) {
                return undefined;
            }
            const last = page.messages.at(-1);
            if (!page.more || last === undefined) {
                break;
            }
            after = last.sequence;
        }
        return missed;
    }

    #finish(link: Link, rooms: readonly ReturnedRoom[], finished: (rooms: RoomRecovery[]) => void, why: () => Error): void {
        const { receiver, pending, rooms: tracker } = this.context;
        sendHeartbeat(link); // tells the server that the new token has arrived, so that it may forget the used one
        for (const { recovery } of rooms) {
            if (!recovery.isMember) {
                tracker.leave(recovery.roomId);
            } else if (!recovery.recovered) {
                tracker.skip(recovery.roomId, recovery.missedMessages);
            }
        }
        for (const { roomId } of this.#leaves) {
            tracker.leave(roomId);
        }
        pending.completeLeaves(this.#leaves);
        pending.failSent(why);
        pending.release(link); // before anything hears of the connection, or what is sent then would be dropped
        finished(rooms.map((room) => room.recovery));
        for (const { missed } of rooms) {
            receiver.raise(missed);
        }
        receiver.releaseRooms();
    }
}

// A refusal that the next attempt would meet again.
function isFinal(error: unknown): boolean {
    return error instanceof ChatError && !mayPass(error);
}
