import type { ChatClient, EditedEvent, Membership, MessageEvent, ReactionEvent, RoomRecovery, SRoomChatNtf } from "@playchat/client";
import { describe, patiently } from "./errors.js";
import { Outbox } from "./outbox.js";
import { mentions } from "./text.js";
import { type Said, Timeline } from "./timeline.js";
import { Typists } from "./typing.js";

const pageMessages = 50;

// The server writes what was read every 5 seconds.
const markMs = 2000;

// So many pages are read to fill a hole after a break. Older messages of it are read on scrolling up.
const maxFillPages = 5;

// So many pages are read to show a message that was found.
const maxRevealPages = 40;

/** One room that the player is in: its messages, what is unread, and the text that is being written. */
export class RoomView {
    readonly timeline: Timeline;
    readonly outbox: Outbox;
    readonly typists: Typists;
    draft = "";
    unread = 0;
    /** Unread messages that mention the reader. */
    mentions = 0;
    #marked = 0n; // the server knows that the reader has read so far
    #markTimer: ReturnType<typeof setTimeout> | undefined;
    #isShown = false;
    #isReading = false;
    #expectsGap = false; // a hole was told by the return and is being filled; the next message tells it once more
    #arrived: SRoomChatNtf[] = [];
    #lastRead: bigint | undefined; // the last message before the unread ones
    #awayFrom: bigint | undefined; // the last message before a break of the connection, until what was missed is there

    /**
     * @param changed Called when the number of unread messages, or who is writing, has changed.
     * @param actionsOf What the reader can do with a message.
     * @param reactTo The reader reacts to a message.
     */
    constructor(
        private readonly client: ChatClient,
        readonly roomId: bigint,
        readonly name: string,
        private readonly changed: () => void,
        actionsOf: (message: Said) => HTMLElement[],
        private readonly isBlocked: (playerId: bigint) => boolean,
        reactTo: (message: Said, emoji: string, remove: boolean) => void,
    ) {
        this.typists = new Typists(changed);
        this.timeline = new Timeline(() => client.identity, {
            nearStart: () => void this.readOlder(),
            atNewest: () => this.#read(),
        }, actionsOf, "This is where the room begins.", isBlocked, reactTo, (message) => this.mentionsReader(message));
        this.timeline.roomName = name;
        this.outbox = new Outbox(
            client, async (text, messageId) => (await client.send(roomId, text, { messageId, timeoutMs: Infinity })).sequence, this.timeline);
    }

    get members(): number {
        return this.client.room(this.roomId)?.members.length ?? 0;
    }

    /** Whether another player has mentioned the reader. */
    mentionsReader({ playerId, text, system }: Said): boolean {
        const own = this.client.identity;
        return !system && playerId !== own?.playerId && mentions(text, own?.name ?? "", this.client.room(this.roomId)?.members ?? []);
    }

    /** Reads the newest messages. Called once, when the room is entered. */
    async open(history?: readonly SRoomChatNtf[]): Promise<void> {
        this.timeline.hasOlder = true;
        if (history !== undefined && history.length > 0) {
            this.timeline.add(history, false);
            this.timeline.scrollToNewest();
        } else {
            await this.readOlder();
            this.#markAway();
        }
    }

    /** What was said since the reader was here last is unread. */
    resumeFrom({ readSequence, unread, unreadMentions }: Membership): void {
        this.unread = unread;
        this.mentions = unreadMentions;
        this.#marked = readSequence;
        if (unread > 0) {
            this.#lastRead = this.#awayFrom = readSequence;
            this.#markAway();
        }
    }

    edited({ edit, missedBefore }: EditedEvent): void {
        this.#changes(missedBefore, edit.sequence);
        this.timeline.edit(edit.messageSequence, edit.text, edit.editedAtUnixMs);
    }

    reacted({ reaction, missedBefore }: ReactionEvent): void {
        this.#changes(missedBefore, reaction.sequence);
        const isOwn = reaction.player?.playerId === this.client.identity?.playerId;
        this.timeline.react(reaction.messageSequence, reaction.emoji, reaction.removed, isOwn);
    }

    take({ message, missedBefore }: MessageEvent): void {
        this.typists.remove(message.playerId);
        this.#fillHole(missedBefore, message.sequence);
        // What comes with one packet of the network is drawn at once.
        if (this.#arrived.push(message) === 1) {
            queueMicrotask(() => this.#show());
        }
    }

    memberJoined(name: string): void {
        this.timeline.note(`${name} has joined the room.`);
    }

    /** The connection is back: what was missed follows, or is read from the history. */
    recovered(recovery: RoomRecovery): void {
        if (recovery.missedMessages > 0 || !recovery.recovered) {
            this.#awayFrom = this.timeline.lastSequence ?? 0n;
        }
        if (!recovery.recovered) {
            this.#expectsGap = recovery.missedMessages > 0;
            void this.fill(recovery.lastSequence, recovery.latestSequence);
            void this.#refresh();
        }
    }

    /** Shows a message of the room, after reading back to it if that is not far. */
    async reveal(sequence: bigint): Promise<void> {
        for (let pages = 0; pages < maxRevealPages && !this.timeline.reveal(sequence); pages++) {
            const first = this.timeline.firstSequence;
            if (!this.timeline.hasOlder || (first !== undefined && first < sequence)) {
                break;
            }
            await this.readOlder();
        }
    }

    show(): void {
        this.#isShown = true;
        this.timeline.restorePlace();
        this.#read();
        if (this.timeline.hasOlder && this.timeline.isShort) {
            void this.readOlder();
        }
    }

    hide(): void {
        this.#isShown = false;
        this.timeline.savePlace();
        this.timeline.unmarkNew();
    }

    /** The page is looked at again. */
    pageShown(): void {
        if (this.#isShown) {
            this.#read();
        }
    }

    send(text: string): void {
        this.timeline.unmarkNew();
        this.outbox.add(text);
    }

    async readOlder(): Promise<void> {
        if (this.#isReading || !this.timeline.hasOlder) {
            return;
        }
        this.#isReading = true;
        try {
            const before = this.timeline.firstSequence;
            const range = { limit: pageMessages, ...(before !== undefined ? { before } : {}) };
            const page = await patiently(() => this.client.readHistory(this.roomId, range));
            this.timeline.addOlder(page.messages, page.more);
            page.gaps.forEach((gap) => this.timeline.markGap(gap.afterSequence));
        } catch (error) {
            this.timeline.showStart(`Reading older messages failed. ${describe(error)}`);
            return;
        } finally {
            this.#isReading = false;
        }
        if (this.#isShown && this.timeline.hasOlder && this.timeline.isShort) {
            await this.readOlder();
        }
    }

    /** Reads the messages between two sequences, and marks those that it fails to read as missing. */
    async fill(after: bigint, through: bigint): Promise<void> {
        let last = after;
        let isComplete = false;
        try {
            for (let pages = 0; pages < maxFillPages && !isComplete; pages++) {
                const page = await this.client.readHistory(this.roomId, { after: last });
                this.timeline.add(page.messages, false);
                page.gaps.forEach((gap) => this.timeline.markGap(gap.afterSequence));
                last = page.messages.at(-1)?.sequence ?? last;
                if (!page.complete && page.gaps.length === 0) {
                    break;
                }
                isComplete = !page.more || last >= through;
            }
        } catch {
            // The mark says what the reader needs to know: something may be missing.
        }
        if (!isComplete) {
            this.timeline.markGap(last);
        }
        this.#markAway();
    }

    /** A message is about to change. */
    #changes(missedBefore: number, sequence: bigint): void {
        this.#fillHole(missedBefore, sequence);
        if (this.#arrived.length > 0) {
            this.#show(); // the message may be among them
        }
    }

    /** Reads the newest messages anew: changes of those that are shown may have been missed. */
    async #refresh(): Promise<void> {
        try {
            this.timeline.refresh((await this.client.readHistory(this.roomId)).messages);
        } catch {
            // They stay as they are; the mark of the hole says that something may be missing.
        }
    }

    #fillHole(missedBefore: number, through: bigint): void {
        if (missedBefore > 0) {
            if (!this.#expectsGap) {
                void this.fill(this.timeline.lastSequence ?? 0n, through);
            }
            this.#expectsGap = false;
        }
    }

    #show(): void {
        const messages = this.#arrived;
        if (messages.length === 0) {
            return;
        }
        this.#arrived = [];
        const isLooking = this.#isShown && document.visibilityState === "visible" && this.timeline.isAtNewest;
        const before = this.#lastRead ?? this.timeline.lastSequence ?? (messages[0]?.sequence ?? 1n) - 1n;
        this.timeline.add(messages, true);
        this.outbox.shown(this.timeline.lastSequence ?? 0n);
        this.#markAway();
        const ofOthers = messages.filter((message) => !message.system && message.playerId !== this.client.identity?.playerId && !this.isBlocked(message.playerId));
        if (!isLooking && ofOthers.length > 0) {
            this.#lastRead = before;
            this.unread += ofOthers.length;
            this.mentions += ofOthers.filter((message) => this.mentionsReader(message)).length;
            if (!this.timeline.hasNewMark) {
                this.timeline.markNew(before);
            }
            this.changed();
        } else if (isLooking) {
            this.#lastRead = undefined;
            this.#mark();
        }
    }

    /** Tells the server what was read, now and then. */
    #mark(): void {
        if (this.client.identity?.server?.roomsLast === true) {
            this.#markTimer ??= setTimeout(() => {
                this.#markTimer = undefined;
                const read = this.timeline.lastSequence ?? 0n;
                if (read > this.#marked && this.unread === 0) {
                    this.#marked = read;
                    this.client.markRead(this.roomId, read);
                }
            }, markMs);
        }
    }

    #markAway(): void {
        if (this.#awayFrom !== undefined && this.#awayFrom < (this.timeline.lastSequence ?? 0n)) {
            this.timeline.markNew(this.#awayFrom);
            this.#awayFrom = undefined;
        }
    }

    #read(): void {
        if (this.#isShown && document.visibilityState === "visible" && this.timeline.isAtNewest) {
            this.#lastRead = undefined;
            this.#mark();
            if (this.unread > 0) {
                this.unread = this.mentions = 0;
                this.changed();
            }
        }
    }
}
