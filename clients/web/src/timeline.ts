import type { Identity, SRoomChatNtf } from "@playchat/client";
import { make } from "./dom.js";
import { avatar, textNodes } from "./text.js";
import { clockTime, dayName, dayNumber, fullTime } from "./time.js";

// So many messages of a room stay in the page. Older ones are dropped while the newest are shown, and are read again on scrolling up.
const maxMessages = 600;

// Within so many pixels the view counts as being at an end.
const nearPixels = 120;

const minuteMs = 60_000;

// So long a message that was found stands out.
const foundMs = 3000;

/** What a timeline shows: a message of a room, or of a conversation. */
export type Said = Pick<SRoomChatNtf,
    "roomId" | "sequence" | "playerId" | "playerName" | "text" | "sentAtUnixMs" | "system" | "deleted" | "editedAtUnixMs" | "reactions">;

interface Item {
    readonly sequence: bigint;
    message: Said;
    row: HTMLElement;
    /** A rule before the row: the day, or what is missing there. */
    dayRule: HTMLElement | undefined;
    gapRule: HTMLElement | undefined;
}

const clearedText = "You have cleared this room here. Load the page again to see earlier messages.";

/** The messages of one room, in the order of their sequences, each once. */
export class Timeline {
    readonly element: HTMLElement;
    /** Whether older messages can be read. */
    hasOlder = false;
    readonly #items: Item[] = [];
    readonly #sent: HTMLElement; // own messages on their way stand behind everything
    readonly #start: HTMLElement;
    readonly #newRule = make("div", { className: "rule new" }, "New");
    #isAtNewest = true;
    #clearedThrough: bigint | undefined; // the last message that the reader has cleared away
    #place = 0; // the scroll position while another room is shown

    constructor(
        private readonly own: () => Identity | undefined,
        events: { nearStart: () => void; atNewest: () => void },
        /** What the reader can do with a message. */
        private readonly actionsOf: (message: Said) => HTMLElement[],
        private readonly startText: string,
        private readonly isBlocked: (playerId: bigint) => boolean = () => false,
        private readonly reactTo: (message: Said, emoji: string, remove: boolean) => void = () => undefined,
        private readonly mentionsReader: (message: Said) => boolean = () => false,
    ) {
        this.#sent = make("div", { className: "sent" });
        this.#start = make("p", { className: "start", hidden: true });
        this.element = make("div", { className: "timeline", tabIndex: 0, role: "log" }, this.#start, this.#sent);
        this.element.ariaLive = "polite";
        this.element.addEventListener("keydown", (event) => this.#move(event));
        this.element.addEventListener("scroll", () => {
            const { scrollTop, scrollHeight, clientHeight } = this.element;
            const wasAtNewest = this.#isAtNewest;
            this.#isAtNewest = scrollHeight - scrollTop - clientHeight < nearPixels;
            if (this.#isAtNewest && !wasAtNewest) {
                events.atNewest();
            }
            if (this.hasOlder && scrollTop < nearPixels * 3) {
                events.nearStart();
            }
        });
    }

    get isAtNewest(): boolean {
        return this.#isAtNewest;
    }

    get firstSequence(): bigint | undefined {
        return this.#items[0]?.sequence;
    }

    get lastSequence(): bigint | undefined {
        return this.#items.at(-1)?.sequence ?? this.#clearedThrough;
    }

    /** Whether there is less to read than the view is high. */
    get isShort(): boolean {
        return this.element.scrollHeight <= this.element.clientHeight + nearPixels * 3;
    }

    /** Puts a name on the log for screen readers. */
    set roomName(name: string) {
        this.element.ariaLabel = `Messages in ${name}`;
    }

    /** Adds messages where their sequences belong; one that is there already stays. */
    add(messages: readonly Said[], announce: boolean): void {
        if (messages.length === 0) {
            return;
        }
        this.#keepPlace(announce, () => {
            for (const message of messages) {
                this.#insert(message);
            }
            if (this.#isAtNewest && this.#items.length > maxMessages) {
                this.#dropOldest();
            }
        });
    }

    /**
     * Adds a page of older messages.
     * @param more Whether the room has still older ones.
     */
    addOlder(messages: readonly Said[], more: boolean): void {
        this.add(messages, false);
        const isCleared = this.#isCleared(messages[0]?.sequence ?? 0n);
        this.hasOlder = more && !isCleared;
        this.showStart(isCleared ? clearedText : more ? "" : this.startText);
    }

    /** Says something of the room that is no message: a player joined. */
    note(text: string): void {
        this.put(make("div", { className: "line" }, text));
    }

    /** Puts a line behind the messages that have come. */
    put(line: HTMLElement): void {
        this.#keepPlace(true, () => this.#sent.before(line));
    }

    /** A message has another text, or none. */
    edit(sequence: bigint, text: string, editedAtUnixMs: bigint): void {
        const index = this.#indexAfter(sequence - 1n);
        const item = this.#items[index];
        if (item?.sequence !== sequence) {
            return; // it is read with its new text
        }
        this.#replace(index, {
            ...item.message, text, editedAtUnixMs, deleted: text === "", ...(text === "" ? { reactions: [] } : {}),
        });
    }

    /** A player has reacted to a message, or has taken that back. */
    react(sequence: bigint, emoji: string, removed: boolean, isOwn: boolean): void {
        const index = this.#indexAfter(sequence - 1n);
        const item = this.#items[index];
        if (item?.sequence !== sequence) {
            return; // it is read with its reactions
        }
        const known = item.message.reactions.find((reaction) => reaction.emoji === emoji)
            ?? { $typeName: "playchat.Reaction" as const, emoji, count: 0, own: false };
        const changed = { ...known, count: known.count + (removed ? -1 : 1), own: isOwn ? !removed : known.own };
        const isListed = item.message.reactions.includes(known);
        const reactions = isListed ? item.message.reactions.map((reaction) => reaction === known ? changed : reaction)
            : [...item.message.reactions, changed];
        this.#replace(index, { ...item.message, reactions: reactions.filter(({ count }) => count > 0) });
    }

    /** Messages were read anew: those that are shown get what has changed. */
    refresh(messages: readonly Said[]): void {
        for (const message of messages) {
            const index = this.#indexAfter(message.sequence - 1n);
            if (this.#items[index]?.sequence === message.sequence) {
                this.#replace(index, message);
            }
        }
    }

    /** Shows a message that is there. @returns False when it is not. */
    reveal(sequence: bigint): boolean {
        const item = this.#items[this.#indexAfter(sequence - 1n)];
        if (item?.sequence !== sequence) {
            return false;
        }
        item.row.scrollIntoView({ block: "center" });
        item.row.classList.add("found");
        setTimeout(() => item.row.classList.remove("found"), foundMs);
        return true;
    }

    #replace(index: number, message: Said): void {
        const item = this.#items[index];
        if (item === undefined) {
            return;
        }
        this.#keepPlace(false, () => {
            const focused = item.row.contains(document.activeElement) ? document.activeElement?.getAttribute("data-emoji") : undefined;
            item.message = message;
            const row = this.#draw(item.message);
            item.row.replaceWith(row);
            item.row = row;
            this.#regroup(index);
            // A reader that has pressed a reaction by the keyboard stays there.
            [...row.querySelectorAll<HTMLElement>("[data-emoji]")].find((button) => button.dataset["emoji"] === focused)?.focus();
        });
    }

    /** The reader has blocked other players than before. */
    blockedChanged(): void {
        this.#keepPlace(false, () => this.#items.forEach(({ row, message }) => (row.hidden = !message.system && this.isBlocked(message.playerId))));
    }

    /** The newest message of a player that has a text. */
    lastOf(playerId: bigint | undefined): Said | undefined {
        return [...this.#items].reverse().find(({ message }) => message.playerId === playerId && !message.system && !message.deleted)?.message;
    }

    /** The newest message of another player that has a text. */
    lastOfOthers(ownId: bigint | undefined): Said | undefined {
        return [...this.#items].reverse().find(({ message }) => message.playerId !== ownId && !message.system && !message.deleted)?.message;
    }

    /** Marks the place behind this sequence at which messages may be missing. */
    markGap(afterSequence: bigint): void {
        if (this.#isCleared(afterSequence + 1n)) {
            return;
        }
        const item = this.#items[this.#indexAfter(afterSequence)];
        this.#keepPlace(false, () => {
            const rule = make("div", { className: "rule gap" }, "Messages may be missing here");
            if (item === undefined) {
                this.#sent.before(rule);
            } else if (item.gapRule === undefined) {
                item.gapRule = rule;
                (item.dayRule ?? item.row).before(rule);
                this.#regroup(this.#items.indexOf(item));
            }
        });
    }

    /** Draws the line "New" before the first message behind this sequence. */
    markNew(afterSequence: bigint): void {
        const item = this.#items[this.#indexAfter(afterSequence)];
        if (item !== undefined) {
            this.#keepPlace(false, () => item.row.before(this.#newRule));
        }
    }

    unmarkNew(): void {
        this.#keepPlace(false, () => this.#newRule.remove());
    }

    get hasNewMark(): boolean {
        return this.#newRule.isConnected || this.#newRule.parentNode !== null;
    }

    /** Shows that the first message of the room has been read, or that older ones are being read. */
    showStart(text: string): void {
        this.#keepPlace(false, () => {
            this.#start.hidden = text === "";
            this.#start.textContent = text;
        });
    }

    /** Takes the messages out of the page, for the reader alone. They are not read again by scrolling up. */
    clear(): void {
        this.#clearedThrough = this.lastSequence;
        this.hasOlder = false;
        this.#items.length = 0;
        this.element.replaceChildren(this.#start, this.#sent);
        this.showStart(clearedText);
        this.scrollToNewest();
    }

    scrollToOldest(): void {
        this.element.scrollTop = 0;
    }

    /** Own messages that the server has not confirmed. */
    addSent(row: HTMLElement): void {
        this.#keepPlace(false, () => this.#sent.append(row));
        this.scrollToNewest();
    }

    /** Changes something within the log that is not to be read out. */
    change(what: () => void): void {
        this.#keepPlace(false, what);
    }

    scrollToNewest(): void {
        this.#isAtNewest = true;
        this.element.scrollTop = this.element.scrollHeight;
    }

    /** The view's size has changed. */
    resized(): void {
        if (this.#isAtNewest) {
            this.scrollToNewest();
        }
    }

    /** The view is about to be taken out of the page, which forgets where it was scrolled to. */
    savePlace(): void {
        this.#place = this.element.scrollTop;
    }

    /** The view is in the page again. */
    restorePlace(): void {
        if (this.#isAtNewest) {
            this.scrollToNewest();
        } else {
            this.element.scrollTop = this.#place;
        }
    }

    #isCleared(sequence: bigint): boolean {
        return this.#clearedThrough !== undefined && sequence <= this.#clearedThrough;
    }

    #insert(message: Said): void {
        if (this.#isCleared(message.sequence)) {
            return; // it was being read when the room was cleared
        }
        const index = this.#indexAfter(message.sequence - 1n);
        if (this.#items[index]?.sequence === message.sequence) {
            return;
        }
        const item: Item = { sequence: message.sequence, message, row: this.#draw(message), dayRule: undefined, gapRule: undefined };
        const next = this.#items[index];
        if (next === undefined) {
            this.#sent.before(item.row);
        } else {
            (next.gapRule ?? next.dayRule ?? next.row).before(item.row);
        }
        this.#items.splice(index, 0, item);
        this.#regroup(index);
        this.#regroup(index + 1);
    }

    /** Decides anew what stands before an item, and whether it continues the message before it. */
    #regroup(index: number): void {
        const item = this.#items[index];
        if (item === undefined) {
            return;
        }
        const before = this.#items[index - 1];
        const time = Number(item.message.sentAtUnixMs);
        const beforeTime = Number(before?.message.sentAtUnixMs ?? 0n);
        item.dayRule?.remove();
        item.dayRule = undefined;
        if (before === undefined || dayNumber(time) !== dayNumber(beforeTime)) {
            item.dayRule = make("div", { className: "rule" }, dayName(time));
            item.row.before(item.dayRule);
        }
        item.row.classList.toggle("continued", !item.message.system && item.dayRule === undefined && item.gapRule === undefined
            && before?.message.playerId === item.message.playerId && !before.message.system
            && Math.floor(time / minuteMs) === Math.floor(beforeTime / minuteMs));
    }

    #draw(message: Said): HTMLElement {
        if (message.system) {
            return make("div", { className: "line", dir: "auto" }, message.text);
        }
        const isOwn = message.playerId === this.own()?.playerId;
        const row = drawMessage(message.playerName, message.deleted ? "This message was deleted." : message.text, Number(message.sentAtUnixMs), isOwn);
        row.classList.toggle("deleted", message.deleted);
        row.hidden = this.isBlocked(message.playerId);
        if (message.editedAtUnixMs > 0n && !message.deleted) {
            const title = fullTime(Number(message.editedAtUnixMs));
            row.querySelector(".text")?.append(" ", make("span", { className: "edited", title }, "(edited)"));
        }
        if (message.reactions.length > 0) {
            row.append(this.#drawReactions(message));
        }
        this.#offerActions(row, message);
        if (this.mentionsReader(message)) {
            row.classList.add("mention");
            row.querySelector(".text")?.prepend(make("span", { className: "hidden" }, "Mentions you: "));
        }
        return row;
    }

    #drawReactions(message: Said): HTMLElement {
        return make("div", { className: "reactions" }, ...message.reactions.map(({ emoji, count, own }) => {
            const button = make("button", { type: "button", className: "reaction", ariaPressed: String(own) }, `${emoji} ${count}`);
            button.dataset["emoji"] = emoji;
            button.ariaLabel = `${emoji}, ${count === 1 ? "1 player" : `${count} players`}`;
            button.addEventListener("click", () => this.reactTo(message, emoji, own));
            return button;
        }));
    }

    /** Shows what can be done with a message while the pointer is on it, or the focus of the keyboard. */
    #offerActions(row: HTMLElement, message: Said): void {
        const show = (): void => {
            const actions = row.querySelector(".actions") === null ? this.actionsOf(message) : [];
            if (actions.length > 0) {
                row.append(make("div", { className: "actions" }, ...actions));
            }
        };
        const hide = (isUsed: boolean): void => isUsed ? undefined : row.querySelector(".actions")?.remove();
        row.tabIndex = -1;
        row.addEventListener("pointerenter", show);
        row.addEventListener("pointerleave", () => hide(row.matches(":focus-visible") || row.querySelector(":focus-visible") !== null));
        row.addEventListener("focusin", show);
        row.addEventListener("focusout", ({ relatedTarget }) => hide(row.matches(":hover") || row.contains(relatedTarget as Node | null)));
    }

    /** The arrow keys go from message to message. */
    #move(event: KeyboardEvent): void {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (step === undefined || event.altKey || event.shiftKey) {
            return;
        }
        const rows = this.#items.map(({ row }) => row).filter((row) => !row.hidden && row.classList.contains("message"));
        const at = rows.findIndex((row) => row.contains(document.activeElement));
        const next = at >= 0 ? rows[at + step] : this.#isAtNewest ? rows.at(-1) : this.#firstVisible();
        if (next !== undefined) {
            event.preventDefault();
            next.focus();
        }
    }

    /** The index of the first item behind a sequence. */
    #indexAfter(sequence: bigint): number {
        let low = 0;
        let high = this.#items.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if ((this.#items[middle]?.sequence ?? 0n) <= sequence) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    #dropOldest(): void {
        const kept = this.#items[this.#items.length - Math.floor(maxMessages * 0.75)];
        if (kept === undefined) {
            return;
        }
        while (this.#start.nextSibling !== null && this.#start.nextSibling !== kept.row) {
            this.#start.nextSibling.remove();
        }
        this.#items.splice(0, this.#items.indexOf(kept));
        kept.dayRule = kept.gapRule = undefined;
        this.hasOlder = true;
        this.showStart("");
        this.#regroup(0);
    }

    /** What the reader looks at stays where it is, unless that is the newest message: then the view follows. */
    #keepPlace(announce: boolean, change: () => void): void {
        const { element } = this;
        // Messages that are read from the history must not be read out as if they were new.
        element.ariaBusy = announce ? "false" : "true";
        const anchor = this.#isAtNewest ? undefined : this.#firstVisible();
        const top = anchor?.getBoundingClientRect().top ?? 0;
        change();
        if (this.#isAtNewest) {
            element.scrollTop = element.scrollHeight;
        } else if (anchor !== undefined) {
            element.scrollTop += anchor.getBoundingClientRect().top - top;
        }
        if (!announce) {
            setTimeout(() => (element.ariaBusy = "false"));
        }
    }

    #firstVisible(): HTMLElement | undefined {
        const { top } = this.element.getBoundingClientRect();
        return this.#items.find(({ row }) => row.getBoundingClientRect().bottom > top)?.row;
    }
}

/** One message of a player. */
export function drawMessage(name: string, text: string, unixMs: number, isOwn: boolean): HTMLElement {
    const time = make("time", { dateTime: new Date(unixMs).toISOString(), title: fullTime(unixMs) }, clockTime(unixMs));
    return make("div", { className: isOwn ? "message own" : "message" },
        avatar(name),
        make("div", { className: "head" }, make("bdi", { className: "author" }, name), time),
        make("div", { className: "text", dir: "auto" }, ...textNodes(text)));
}
