import type { ChatClient, Conversation, Member, SDirectChatNtf } from "@playchat/client";
import { describe, patiently } from "./errors.js";
import { Outbox } from "./outbox.js";
import { type Said, Timeline } from "./timeline.js";

const pageMessages = 50;

type DirectMessage = Pick<SDirectChatNtf, "playerId" | "playerName" | "text" | "sentAtUnixMs" | "number">;

// The server writes what was read every 5 seconds.
const markMs = 2000;

// So many pages are read to fill a hole after a break. Older messages of it are read on scrolling up.
const maxFillPages = 5;

/** The conversation with one player: its messages, what is unread, and the text that is being written. */
export class ConversationView {
    readonly timeline: Timeline;
    readonly outbox: Outbox;
    draft = "";
    unread = 0;
    online = false;
    /** When its newest message was sent, for the order of the list. */
    lastAtUnixMs = 0n;
    #last = 0n; // the number of the newest message that is known
    #read = 0n; // the server knows that the reader has read so far
    #markTimer: ReturnType<typeof setTimeout> | undefined;
    #isShown = false;
    #isReading = false;
    #isRead = false; // its newest messages are in the timeline, and what comes is added to it

    /** @param changed Called when the number of unread messages or the order has changed. */
    constructor(
        private readonly client: ChatClient,
        readonly player: Member,
        private readonly changed: () => void,
    ) {
        this.timeline = new Timeline(() => client.identity, {
            nearStart: () => void this.readOlder(),
            atNewest: () => this.pageShown(),
        }, () => [], "This is where the conversation begins.");
        this.timeline.roomName = player.name;
        this.outbox = new Outbox(client, (text, messageId) => this.#send(text, messageId), this.timeline);
    }

    get name(): string {
        return this.player.name;
    }

    /** What the server says of it, at the login and after a break. */
    update({ last, unread, readNumber, online }: Conversation): void {
        this.online = online;
        this.#read = readNumber;
        if (last !== undefined && last.number > this.#last) {
            const before = this.#last;
            this.#know(last);
            if (this.#isRead) {
                void this.#fill(before);
            }
        }
        this.unread = unread;
        this.pageShown();
    }

    /** A message has arrived, or was sent on another device. */
    take(message: DirectMessage): void {
        const before = this.#last;
        this.online ||= message.playerId === this.player.playerId;
        this.#know(message);
        if (this.#isRead) {
            this.#add([message], true);
            if (message.number > before + 1n) {
                void this.#fill(before);
            }
        }
        if (message.playerId !== this.client.identity?.playerId && !this.#isLooking) {
            this.unread += 1;
        }
        this.pageShown();
        this.changed();
    }

    send(text: string): void {
        this.outbox.add(text);
    }

    show(): void {
        this.#isShown = true;
        this.timeline.restorePlace();
        if (!this.#isRead) {
            this.#isRead = this.timeline.hasOlder = true;
            void this.readOlder();
        }
        this.pageShown();
    }

    hide(): void {
        if (this.#markTimer !== undefined) {
            this.#mark();
        }
        this.#isShown = false;
        this.timeline.savePlace();
    }

    /** The page is looked at: what is in it counts as read. */
    pageShown(): void {
        if (!this.#isLooking) {
            return;
        }
        if (this.unread > 0) {
            this.unread = 0;
            this.changed();
        }
        if (this.#last > this.#read) {
            this.#markTimer ??= setTimeout(() => this.#mark(), markMs);
        }
    }

    async readOlder(): Promise<void> {
        if (this.#isReading || !this.timeline.hasOlder) {
            return;
        }
        this.#isReading = true;
        try {
            const before = this.timeline.firstSequence;
            const range = { limit: pageMessages, ...(before !== undefined ? { before } : {}) };
            const page = await patiently(() => this.client.readDirect(this.player.playerId, range));
            this.timeline.addOlder(page.messages.map((message) => this.#said(message)), page.more);
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

    get #isLooking(): boolean {
        return this.#isShown && document.visibilityState === "visible" && this.timeline.isAtNewest;
    }

    #mark(): void {
        clearTimeout(this.#markTimer);
        this.#markTimer = undefined;
        this.#read = this.#last;
        this.client.markDirectRead(this.player.playerId, this.#last);
    }

    async #send(text: string, messageId: bigint): Promise<bigint> {
        const { number } = await this.client.sendDirect(this.player.playerId, text, { messageId, timeoutMs: Infinity });
        const own = this.client.identity;
        const sentAtUnixMs = BigInt(Date.now());
        this.#add([{ playerId: own?.playerId ?? 0n, playerName: own?.name ?? "", text, sentAtUnixMs, number }], false);
        this.lastAtUnixMs = sentAtUnixMs;
        if (number > this.#last) {
            this.#last = this.#read = number;
        }
        this.changed();
        return number;
    }

    async #fill(after: bigint): Promise<void> {
        try {
            for (let pages = 0, more = true; pages < maxFillPages && more; pages++) {
                const page = await patiently(() => this.client.readDirect(this.player.playerId, { after }));
                this.#add(page.messages, false);
                after = page.messages.at(-1)?.number ?? after;
                more = page.more;
            }
        } catch {
            this.timeline.markGap(after);
        }
    }

    #know({ number, sentAtUnixMs }: Pick<DirectMessage, "number" | "sentAtUnixMs">): void {
        this.lastAtUnixMs = sentAtUnixMs;
        this.#last = number > this.#last ? number : this.#last;
    }

    #add(messages: readonly DirectMessage[], announce: boolean): void {
        this.timeline.add(messages.map((message) => this.#said(message)), announce);
    }

    #said({ playerId, text, sentAtUnixMs, number }: DirectMessage): Said {
        const playerName = playerId === this.player.playerId ? this.player.name : this.client.identity?.name ?? "";
        return {
            roomId: 0n, sequence: number, playerId, playerName, text, sentAtUnixMs, system: false, deleted: text === "", editedAtUnixMs: 0n, reactions: [],
        };
    }
}
