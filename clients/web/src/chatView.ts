import { AccountDialog } from "./accountDialog.js";
import {
    type ChatClient, ChatError, ErrorCode, type ListedMember, type Member, type Membership, type Moderation, ModerationAction, type ReconnectedEvent,
    RoomRole, type SJoinRoomRes, type SRoomChatNtf,
} from "@playchat/client";
import { Banner } from "./banner.js";
import { Composer } from "./composer.js";
import { CreateDialog, type NewRoom } from "./createDialog.js";
import { Conversations } from "./conversations.js";
import type { ConversationView } from "./conversationView.js";
import { byId, make } from "./dom.js";
import { DirectMessages } from "./direct.js";
import { advise, adviseOption, readLine } from "./commands.js";
import { describe, patiently } from "./errors.js";
import { Members, maxMembers, offline } from "./members.js";
import type { MenuEntry } from "./menu.js";
import { isModeration, moderationsOf, readModeration } from "./moderation.js";
import { Notifications } from "./notifications.js";
import { PasswordDialog } from "./passwordDialog.js";
import { RoomList } from "./roomList.js";
import { RoomView } from "./roomView.js";
import { SearchDialog } from "./searchDialog.js";
import type { SavedSession } from "./storage.js";
import { avatar } from "./text.js";
import type { Said } from "./timeline.js";

// What the pointer offers; /react takes every emoji.
const quickReactions = ["\u{1F44D}", "\u2764\uFE0F", "\u{1F602}", "\u{1F389}"];

/** The chat of one logged-in player: rooms on the left, the messages of one of them, its members on the right. */
export class ChatView {
    readonly #rooms = new Map<bigint, RoomView>();
    readonly #banner = new Banner();
    readonly #members = new Members((member, isMuted) => this.#entriesOf(member, isMuted));
    readonly #composer = new Composer((text) => this.#enterLine(text), () => this.#typed(), () => this.#editLast());
    readonly #conversations = new Conversations(() => this.#conversation, (one) => this.#select(undefined, one), {
        changed: () => this.#changed(),
        blockedChanged: () => this.#rooms.forEach((room) => room.timeline.blockedChanged()),
        failed: (why) => this.#banner.tell(why),
    });
    readonly #list = new RoomList(
        this.#rooms, () => this.#selected?.roomId, (roomId) => void this.#choose(roomId), (search) => this.#conversations.draw(search));
    readonly #account = new AccountDialog(() => this.#client);
    readonly #create = new CreateDialog((room) => this.#createRoom(room));
    readonly #password = new PasswordDialog();
    readonly #search = new SearchDialog((roomId) => this.#rooms.get(roomId)?.name, (message) => void this.#reveal(message));
    readonly #notifications = new Notifications();
    readonly #timelines = byId("timelines");
    readonly #toNewest = byId<HTMLButtonElement>("to-newest");
    #client: ChatClient | undefined;
    #direct: DirectMessages | undefined;
    #selected: RoomView | undefined;
    #conversation: ConversationView | undefined; // in place of a room
    #listed: readonly ListedMember[] = []; // members of the selected room, those that are offline as well
    // What is in the line is not said: a message is being changed or reported. The draft comes back afterwards.
    #asked: { readonly take: (line: string) => void; readonly draft: string } | undefined;

    /** @param logOut Ends the session at the player's wish. */
    constructor(private readonly logOut: () => void) {
        byId("room-create").addEventListener("click", () => this.#openCreate(this.#list.searchText));
        byId("search-open").addEventListener("click", () => this.#openSearch());
        byId("leave").addEventListener("click", () => void this.#leave());
        byId("block").addEventListener("click", () => this.#blockPartner());
        byId("back").addEventListener("click", () => this.showRooms());
        this.#toNewest.addEventListener("click", () => this.#goToNewest());
        document.addEventListener("visibilitychange", () => this.#open?.pageShown());
        new ResizeObserver(() => this.#open?.timeline.resized()).observe(this.#timelines);
        this.#timelines.addEventListener("scroll", () => this.#drawToNewest(), { capture: true });
    }

    /** Shows the chat of a client that is logged in. */
    start(client: ChatClient, restored?: SavedSession): void {
        this.#client = client;
        const name = client.identity?.name ?? "";
        const picture = avatar(name, "small");
        picture.id = "me-avatar";
        byId("me-avatar").replaceWith(picture);
        byId("me-name").textContent = name;

        client.on("message", (event) => this.#rooms.get(event.message.roomId)?.take(event));
        client.on("message", ({ message }) => this.#membersChanged((message.left ?? message.changed) === undefined ? undefined : message.roomId));
        client.on("message", ({ message }) => this.#notify(message));
        client.on("edited", (event) => this.#rooms.get(event.edit.roomId)?.edited(event));
        client.on("message", ({ message }) => message.terms === undefined ? undefined : this.#drawTopic());
        client.on("reaction", (event) => this.#rooms.get(event.reaction.roomId)?.reacted(event));
        client.on("typing", ({ roomId, playerId }) => this.#rooms.get(roomId)?.typists.add(playerId));
        client.on("roomLeft", ({ roomId, message }) => this.#taken(roomId, message));
        client.on("invited", ({ membership, by }) => {
            this.#banner.notice(`${by?.name ?? "A moderator"} has invited you to ${membership.name}.`);
            void this.#enterKnown(membership, membership);
        });
        client.on("reported", ({ report }) => this.#banner.notice(
            `${report.reporterName} has reported a message in ${report.roomName}: ${report.reason} /reports lists the reports.`));
        client.on("roomEntered", (room) => void this.#enterKnown(room)); // all devices show the same rooms
        client.on("direct", ({ message }) => this.#notifications.show(message.playerName, message.text));
        client.on("memberJoined", ({ roomId, member, returned }) => {
            if (!returned) {
                this.#rooms.get(roomId)?.memberJoined(member.name);
            }
            this.#membersChanged(roomId);
        });
        client.on("roomState", ({ roomId }) => {
            this.#membersChanged(roomId);
            this.#drawTopic();
        });
        client.on("notice", ({ message }) => this.#banner.notice(message));
        this.#direct = new DirectMessages(
            client,
            (line) => this.#showDirect(line),
            (playerId) => this.#conversation?.player.playerId === playerId && document.body.dataset["view"] === "room",
            () => void this.#conversations.refresh());
        this.#conversations.start(client);
        client.on("reconnecting", (event) => this.#banner.reconnecting(event));
        client.on("reconnected", (event) => this.#reconnected(event));

        for (const room of client.rooms) {
            const view = this.#add(room.roomId, room.name);
            view.unread = restored?.unread.find(([id]) => id === String(room.roomId))?.[1] ?? 0;
            view.draft = restored?.drafts?.[String(room.roomId)] ?? "";
        }
        void this.#enterAll(client.identity?.memberships ?? []);
        this.#list.start(client);
        const selected = restored?.selected === undefined ? undefined : this.#rooms.get(BigInt(restored.selected));
        this.#select(selected);
        if (selected === undefined) {
            this.showRooms();
        }
        this.#changed();
    }

    /** Forgets the player: the session has ended. */
    stop(): void {
        this.#client = undefined;
        this.#direct = undefined;
        this.#select(undefined);
        this.#rooms.clear();
        this.#conversations.stop();
        this.#list.stop();
        this.#banner.clear();
        this.#create.close();
        this.#search.close();
        this.#account.close();
        this.#changed();
    }

    /** What is kept when the page is loaded again. */
    get saved(): Omit<SavedSession, "snapshot" | "kept"> {
        const draftOf = (room: RoomView): string => room === this.#selected ? this.#draft : room.draft;
        return {
            selected: this.#selected === undefined ? undefined : String(this.#selected.roomId),
            unread: [...this.#rooms.values()].map((room) => [String(room.roomId), room.unread]),
            drafts: Object.fromEntries([...this.#rooms.values()].map((room) => [String(room.roomId), draftOf(room)])),
        };
    }

    /** What was missed while the page was loaded again, before the chat was shown. */
    reconnected(event: ReconnectedEvent): void {
        if (event.rooms.some((room) => room.missedMessages > 0 || !room.recovered)) {
            this.#reconnected(event);
        }
    }

    /** @param text What to look for; left out, the search stays as it is. */
    focusSearch(text?: string): void {
        this.showRooms();
        this.#list.focusSearch(text);
    }

    /** On a narrow screen: the list of rooms in place of the room. */
    showRooms(): void {
        document.body.dataset["view"] = "rooms";
        const selected = this.#selected?.roomId;
        byId("room-lists").querySelector<HTMLElement>(`[data-room="${selected}"]`)?.focus();
    }

    toggleMembers(): void {
        if (this.#selected !== undefined) {
            this.#members.toggle();
        }
    }

    /** Escape: closes what lies above the messages, then goes to the newest message. */
    escape(): void {
        if (this.#asked !== undefined) {
            this.#sayAgain();
        } else if (this.#members.isOverlay) {
            this.#members.close();
        } else if (this.#list.searchText !== "") {
            this.#list.clearSearch();
        } else if (this.#open !== undefined) {
            this.#goToNewest();
        }
    }

    /** Selects the room above or below the selected one. */
    step(by: number): void {
        const rooms = this.#list.mine();
        const index = this.#selected === undefined ? (by > 0 ? -1 : 0) : rooms.indexOf(this.#selected);
        const next = rooms[(index + by + rooms.length) % rooms.length];
        if (next !== undefined) {
            this.#select(next);
        }
    }

    /** @returns What is wrong with a line; undefined when it is done. */
    #enterLine(text: string): string | undefined {
        if (this.#asked !== undefined) {
            this.#asked.take(text);
            queueMicrotask(() => this.#sayAgain()); // the input line is emptied first
            return undefined;
        }
        const line = readLine(text);
        if ("say" in line) {
            this.#open?.send(line.say);
            return undefined;
        }
        const { command, argument } = line;
        // What moves the focus waits until the input line has taken it.
        const later = (action: () => void): undefined => void setTimeout(action);
        switch (command) {
            case "/msg":
                return this.#direct?.send(argument);
            case "/dm":
                return this.#write(argument);
            case "/conversations":
                return later(() => this.#conversations.focus());
            case "/block":
            case "/unblock":
                return this.#block(argument, command === "/unblock");
            case "/join":
                return later(() => /^[1-9]\d{0,17}$/.test(argument) ? void this.#choose(BigInt(argument)) : this.focusSearch(argument));
            case "/rooms":
                return adviseOption(argument) ?? later(() => this.focusSearch());
            case "/create":
                return adviseOption(argument) ?? later(() => this.#openCreate(argument));
            case "/exit":
                return later(() => void this.#leave());
            case "/members":
                return later(() => this.#members.open());
            case "/clear":
                this.#open?.timeline.clear();
                return undefined;
            case "/history":
                this.#open?.timeline.scrollToOldest();
                return undefined;
            case "/edit":
                return this.#editLastTo(argument);
            case "/delete":
                return this.#deleteLast(argument);
            case "/search":
                return later(() => this.#openSearch(argument));
            case "/react":
                return this.#reactToLast(argument);
            case "/report":
                return this.#reportLast(argument);
            case "/reports":
                return this.#do(this.#listReports());
            case "/resolve":
                return this.#resolve(argument);
            case "/password":
                return later(() => this.#openPassword());
            case "/remove":
                return this.#removeRoom(argument);
            case "/account":
                return later(() => this.#account.open());
            case "/quit":
                return later(this.logOut);
            case "/help":
                byId<HTMLDialogElement>("help-dialog").showModal();
                return undefined;
            default:
                return isModeration(command) ? this.#moderate(command, argument) : advise(command);
        }
    }

    #openSearch(words = ""): void {
        if (this.#client !== undefined) {
            this.#search.open(this.#client, this.#selected?.roomId, words);
        }
    }

    /** Shows a message that was found. */
    async #reveal(message: SRoomChatNtf): Promise<void> {
        await this.#choose(message.roomId);
        await this.#rooms.get(message.roomId)?.reveal(message.sequence);
    }

    #reactToLast(emoji: string): string | undefined {
        const last = this.#selected?.timeline.lastOfOthers(this.#client?.identity?.playerId);
        return emoji === "" ? "Type an emoji behind it: /react \u{1F44D}."
            : last === undefined ? "Nobody else has said anything here."
            : this.#react(last, emoji, last.reactions.some((reaction) => reaction.own && reaction.emoji === emoji));
    }

    #reportLast(reason: string): string | undefined {
        const last = this.#selected?.timeline.lastOfOthers(this.#client?.identity?.playerId);
        return reason === "" ? "Type what is wrong with the newest message: /report REASON."
            : last === undefined ? "Nobody else has said anything here."
            : this.#report(last, reason);
    }

    #report({ roomId, sequence, playerName }: Said, reason: string): undefined {
        return this.#do(this.#client?.report(roomId, sequence, reason)
            .then(() => this.#rooms.get(roomId)?.timeline.note(`You have reported the message of ${playerName}.`)));
    }

    /** Shows the first page of the open reports: those that follow come when these are resolved. */
    async #listReports(): Promise<void> {
        const room = this.#selected;
        if (room === undefined || this.#client === undefined) {
            return;
        }
        const { reports, more } = await this.#client.listReports(room.roomId);
        for (const { reportId, reporterName, reason, sequence, messages } of reports) {
            room.timeline.note(`Report ${reportId} by ${reporterName}: ${reason}`);
            messages.forEach((line) => room.timeline.note(`${line.sequence === sequence ? "▶ " : ""}${line.playerName}: ${line.text}`));
        }
        room.timeline.note(reports.length === 0 ? "There are no open reports."
            : `${more ? "There are more. " : ""}/resolve NUMBER [NOTE] closes a report.`);
    }

    #resolve(argument: string): string | undefined {
        const room = this.#selected;
        const [, number, note = ""] = /^([1-9]\d{0,17})(?:\s+(.*))?$/su.exec(argument) ?? [];
        return number === undefined ? "Type the number of a report, and why if you like: /resolve NUMBER [NOTE]. /reports lists them."
            : room === undefined ? "Choose a room first."
            : this.#do(this.#client?.resolveReport(room.roomId, BigInt(number), note)
                .then(() => room.timeline.note(`Report ${number} is resolved.`)));
    }

    #react({ roomId, sequence }: Said, emoji: string, remove: boolean): undefined {
        return this.#do(this.#client?.react(roomId, sequence, emoji, remove));
    }

    /** The room or the conversation that is shown. */
    get #open(): RoomView | ConversationView | undefined {
        return this.#conversation ?? this.#selected;
    }

    /** Opens a conversation, and says what follows the name. */
    #write(argument: string): string | undefined {
        const known = this.#direct?.find(argument) ?? this.#conversations.find(argument)?.player;
        const name = known?.name ?? argument.split(/\s/u, 1)[0] ?? "";
        const text = argument.slice(name.length).trim();
        if (!this.#conversations.isStored) {
            return "This server does not store direct messages. Type /msg NAME TEXT to write to a player that is connected.";
        }
        if (known !== undefined) {
            const conversation = this.#conversations.open(known);
            setTimeout(() => this.#select(undefined, conversation)); // the input line is emptied first
            if (text !== "") {
                conversation.send(text);
            }
            return undefined;
        }
        return text === "" ? "You know no player of this name yet. Say something to it: /dm NAME TEXT." : this.#do(this.#writeFirst(name, text));
    }

    /** Writes to a player by its name alone. */
    async #writeFirst(name: string, text: string): Promise<void> {
        const answer = await this.#client?.sendDirect(name, text);
        await this.#conversations.refresh();
        if (answer !== undefined) {
            this.#select(undefined, this.#conversations.open({ playerId: answer.playerId, name }));
        }
    }

    #blockPartner(): void {
        const player = this.#conversation?.player;
        if (player !== undefined) {
            this.#do(this.#tellBlock(player.playerId, this.#conversations.blocked.has(player.playerId)));
        }
    }

    #block(name: string, unblock: boolean): string | undefined {
        if (!this.#conversations.isStored) {
            return "This server blocks no players. Tell its operator who disturbs you.";
        }
        if (name === "") {
            return unblock ? "Type /unblock NAME." : this.#do(this.#listBlocked());
        }
        const known = this.#direct?.find(name);
        return this.#do(this.#tellBlock(known?.name.length === name.length ? known.playerId : name, unblock));
    }

    async #tellBlock(player: bigint | string, unblock: boolean): Promise<void> {
        const name = (await this.#conversations.block(player, unblock))?.name ?? "The player";
        this.#banner.tell(unblock ? `${name} is no longer blocked.`
            : `${name} is blocked: you get none of its direct messages and invitations, and see nothing that it says in rooms.`);
        this.#drawHeader();
    }

    async #listBlocked(): Promise<void> {
        const names = (await this.#client?.blockPlayer(undefined))?.blocked.map(({ name }) => name) ?? [];
        this.#banner.notice(names.length === 0 ? "You have blocked no player. /block NAME blocks one." : `You have blocked: ${names.join(", ")}.`);
    }

    #moderate(command: string, argument: string): string | undefined {
        const room = this.#selected;
        const asked = readModeration(command, argument, this.#allMembers());
        if (typeof asked === "string" || room === undefined) {
            return typeof asked === "string" ? asked : "Choose a room first.";
        }
        return this.#ask(room, asked);
    }

    #ask({ roomId }: RoomView, moderation: Moderation): undefined {
        return this.#do(this.#client?.moderate(roomId, moderation));
    }

    /** What the pointer offers beside a member: the commands, as far as the reader's role allows them. */
    #entriesOf(member: Member, isMuted: boolean | undefined): readonly MenuEntry[] {
        const room = this.#selected;
        if (room === undefined) {
            return [];
        }
        const isBlocked = this.#conversations.blocked.has(member.playerId);
        const last = room.timeline.lastOf(member.playerId);
        return [
            { label: "Direct message", act: () => this.#startWriting(member) },
            ...(!this.#conversations.isStored ? []
                : [{ label: isBlocked ? "Unblock" : "Block", act: () => this.#do(this.#tellBlock(member.playerId, isBlocked)) }]),
            ...(last === undefined ? [] : [{ label: "Report last message", act: () => this.#startReport(last) }]),
            ...moderationsOf(this.#roleIn(room.roomId), member, isMuted).map(([label, asked]) => ({ label, act: () => this.#ask(room, asked) })),
        ];
    }

    #startWriting(member: Member): void {
        if (this.#conversations.isStored) {
            this.#select(undefined, this.#conversations.open(member));
        } else {
            this.#members.makeRoom();
            this.#composer.text = `/msg ${member.name} ${this.#composer.text}`;
            this.#composer.focus();
        }
    }

    /** The reader's role in a room. */
    #roleIn(roomId: bigint): RoomRole {
        const ownId = this.#client?.identity?.playerId;
        return this.#client?.room(roomId)?.members.find(({ playerId }) => playerId === ownId)?.role ?? RoomRole.MEMBER;
    }

    #removeRoom(name: string): string | undefined {
        const room = this.#selected;
        return room === undefined || name !== room.name
            ? `This ends the room for everybody. If you mean it, type its name: /remove ${room?.name ?? "ROOM"}`
            : this.#do(this.#client?.moderate(room.roomId, { action: ModerationAction.REMOVE_ROOM }));
    }

    #editLast(): void {
        const last = this.#selected?.timeline.lastOf(this.#client?.identity?.playerId);
        if (last !== undefined) {
            this.#startEditing(last);
        }
    }

    #editLastTo(text: string): string | undefined {
        const last = this.#selected?.timeline.lastOf(this.#client?.identity?.playerId);
        return last === undefined ? "You have said nothing here that could be changed."
            : text === "" ? "Type the new text: /edit TEXT."
            : this.#edit(last, text);
    }

    #deleteLast(name: string): string | undefined {
        const room = this.#selected;
        const playerId = name === "" ? this.#client?.identity?.playerId
            : this.#allMembers().find((member) => member.name.toLowerCase() === name.toLowerCase())?.playerId;
        const last = playerId === undefined ? undefined : room?.timeline.lastOf(playerId);
        return last === undefined ? `There is no message${name === "" ? " of yours" : ` of ${name}`} here that could be deleted.`
            : this.#do(this.#client?.deleteMessage(last.roomId, last.sequence));
    }

    /** The members of the selected room, those that are offline included. */
    #allMembers(): Member[] {
        return [...this.#client?.room(this.#selected?.roomId ?? 0n)?.members ?? [], ...offline(this.#listed)];
    }

    #startEditing(message: Said): void {
        this.#askLine(message.text, "You are changing a message. Enter saves it, Escape leaves it as it is.",
            (text) => this.#edit(message, text));
    }

    #startReport(message: Said): void {
        this.#members.makeRoom();
        this.#askLine("", `What is wrong with this message of ${message.playerName}? Enter reports it to the moderators, Escape does not.`,
            (reason) => this.#report(message, reason));
    }

    /** The next line is not said. */
    #askLine(text: string, note: string, take: (text: string) => void): void {
        this.#asked = { take, draft: this.#draft };
        this.#composer.text = text;
        this.#composer.note = note;
        this.#composer.focus();
    }

    #sayAgain(): void {
        const draft = this.#draft;
        this.#asked = undefined;
        this.#composer.text = draft;
    }

    /** What is being written to the room or the conversation that is shown. */
    get #draft(): string {
        return this.#asked?.draft ?? this.#composer.text;
    }

    #edit({ roomId, sequence }: Said, text: string): undefined {
        return this.#do(this.#client?.editMessage(roomId, sequence, text));
    }

    /** Says what went wrong, if something does. */
    #do(action: Promise<unknown> | undefined): undefined {
        void action?.catch((error: unknown) => this.#banner.tell(describe(error)));
    }

    #actionsOf(message: Said): HTMLElement[] {
        const isOwn = message.playerId === this.#client?.identity?.playerId;
        const button = (text: string, act: () => void): HTMLElement => {
            const made = make("button", { type: "button" }, text);
            made.addEventListener("click", act);
            return made;
        };
        const actions = [];
        if (!message.deleted) {
            actions.push(...quickReactions.map((emoji) => {
                const isOwnReaction = message.reactions.some((reaction) => reaction.own && reaction.emoji === emoji);
                const made = button(emoji, () => this.#react(message, emoji, isOwnReaction));
                made.ariaLabel = isOwnReaction ? `Take ${emoji} back` : `React with ${emoji}`;
                return made;
            }));
        }
        if (!message.deleted && isOwn) {
            actions.push(button("Edit", () => this.#startEditing(message)));
        }
        if (!message.deleted && !isOwn) {
            actions.push(button("Report", () => this.#startReport(message)));
        }
        if (!message.deleted && (isOwn || this.#roleIn(message.roomId) >= RoomRole.MODERATOR)) {
            actions.push(button("Delete", () => this.#do(this.#client?.deleteMessage(message.roomId, message.sequence))));
        }
        return actions;
    }

    #typed(): void {
        if (this.#selected?.typists.isDue === true && this.#asked === undefined) {
            this.#client?.sendTyping(this.#selected.roomId);
        }
    }

    #notify(message: SRoomChatNtf): void {
        const room = this.#rooms.get(message.roomId);
        if (room?.mentionsReader(message) === true && !this.#conversations.blocked.has(message.playerId)) {
            this.#notifications.show(`${message.playerName} in ${room.name}`, message.text);
        }
    }

    #openCreate(name: string): void {
        this.#create.open(name, this.#client?.identity?.server?.roomsLast === true);
    }

    async #enterAll(memberships: readonly Membership[]): Promise<void> {
        for (const membership of memberships) {
            await this.#enterKnown(membership, membership);
        }
    }

    /** Enters a room that the player is a member of already, or in which it is on another device. */
    async #enterKnown({ roomId, name }: { readonly roomId: bigint; readonly name: string }, membership?: Membership): Promise<void> {
        const client = this.#client;
        if (client === undefined || this.#rooms.has(roomId)) {
            return;
        }
        let joined: SJoinRoomRes;
        try {
            joined = await patiently(() => client.joinRoom(roomId));
        } catch (error) {
            this.#banner.tell(`You could not enter ${name}. ${describe(error)}`);
            return;
        }
        if (client === this.#client && !this.#rooms.has(joined.roomId)) {
            const view = this.#add(joined.roomId, joined.name, joined.history);
            const known = membership ?? joined.membership;
            if (known !== undefined) {
                view.resumeFrom(known);
            }
            this.#changed();
        }
    }

    #taken(roomId: bigint, message: string): void {
        const room = this.#rooms.get(roomId);
        this.#banner.tell(message);
        if (room !== undefined) {
            this.#forget(room);
            this.showRooms();
        }
        void this.#list.refresh();
    }

    /** Reads which players are members of the selected room, also those that are not in it, and which are muted. */
    async #readMembers(): Promise<void> {
        const [client, room] = [this.#client, this.#selected];
        if (client?.identity?.server?.roomsLast !== true || room === undefined) {
            return;
        }
        try {
            const listed: ListedMember[] = [];
            let page;
            do {
                page = await patiently(() => client.listMembers(room.roomId, listed.at(-1)?.member?.playerId));
                listed.push(...page.members);
            } while (page.more && listed.length < maxMembers);
            if (room === this.#selected) {
                this.#listed = listed;
                this.#showMembers();
            }
        } catch {
            // The list has the members that are in the room all the same.
        }
    }

    #showMembers(): void {
        const room = this.#selected;
        this.#members.show(
            room === undefined ? undefined : this.#client?.room(room.roomId), this.#client?.identity?.playerId, this.#listed);
    }

    #showDirect(line: HTMLElement): void {
        const timeline = this.#open?.timeline;
        timeline?.put(line);
        // A narrow screen may show the list of rooms in place of the room.
        if (timeline === undefined || timeline.element.offsetParent === null) {
            this.#banner.direct(line.textContent ?? "");
        }
    }

    /** Gives the room that is shown another password. */
    #openPassword(): void {
        const [client, room] = [this.#client, this.#selected];
        if (client === undefined || room === undefined) {
            this.#banner.tell("Open a room first.");
            return;
        }
        this.#password.open(`New password of ${room.name}, empty for none`, async (password) => {
            await client.moderate(room.roomId, { action: ModerationAction.SET_PASSWORD, password });
            return () => undefined;
        }, true);
    }

    async #choose(roomId: bigint): Promise<void> {
        this.#list.clearSearch();
        const joined = this.#rooms.get(roomId);
        if (joined !== undefined) {
            this.#select(joined);
            return;
        }
        try {
            const answer = await this.#client?.joinRoom(roomId);
            if (answer !== undefined) {
                this.#enter(answer);
            }
        } catch (error) {
            if (error instanceof ChatError && error.code === ErrorCode.ROOM_PASSWORD_REQUIRED) {
                this.#password.open(`Password of ${this.#list.nameOf(roomId) ?? `room ${roomId}`}`, async (password) => {
                    const answer = await this.#client?.joinRoom(roomId, { password });
                    return () => answer !== undefined && this.#enter(answer);
                });
                return;
            }
            this.#banner.tell(describe(error));
            void this.#list.refresh();
        }
    }

    /** @returns What is left to do when the dialog is closed, which puts the focus back to where it was. */
    async #createRoom({ name, ...room }: NewRoom): Promise<() => void> {
        const answer = await this.#client?.createRoom(name, room);
        return () => {
            if (answer !== undefined) {
                this.#list.clearSearch();
                this.#enter(answer);
            }
        };
    }

    #enter({ roomId, name, history }: { roomId: bigint; name: string; history?: readonly SRoomChatNtf[] }): void {
        this.#select(this.#rooms.get(roomId) ?? this.#add(roomId, name, history));
        void this.#list.refresh();
    }

    #add(roomId: bigint, name: string, history?: readonly SRoomChatNtf[]): RoomView {
        const client = this.#client;
        if (client === undefined) {
            throw new Error("There is no client.");
        }
        const room = new RoomView(client, roomId, name, () => this.#changed(), (message) => this.#actionsOf(message),
            (playerId) => this.#conversations.blocked.has(playerId), (message, emoji, remove) => this.#react(message, emoji, remove));
        this.#rooms.set(roomId, room);
        void room.open(history);
        return room;
    }

    async #leave(): Promise<void> {
        const room = this.#selected;
        if (room === undefined) {
            this.#select(undefined); // a conversation
            this.showRooms();
            return;
        }
        try {
            await this.#client?.leaveRoom(room.roomId);
        } catch (error) {
            this.#banner.tell(describe(error));
            return;
        }
        this.#forget(room);
        this.showRooms();
        void this.#list.refresh();
    }

    #forget(room: RoomView): void {
        this.#rooms.delete(room.roomId);
        if (this.#selected === room) {
            this.#select(undefined);
        }
        this.#changed();
    }

    #reconnected(event: ReconnectedEvent): void {
        this.#banner.reconnected(event);
        for (const recovery of event.rooms) {
            const room = this.#rooms.get(recovery.roomId);
            if (room === undefined) {
                continue;
            }
            if (recovery.isMember) {
                room.recovered(recovery);
            } else {
                this.#forget(room);
            }
        }
        this.#membersChanged(this.#selected?.roomId);
        void this.#list.refresh();
        void this.#conversations.refresh();
    }

    /** Shows a room, or a conversation, or neither. */
    #select(room: RoomView | undefined, conversation?: ConversationView): void {
        if (this.#open !== undefined) {
            this.#open.draft = this.#draft;
            this.#open.hide();
        }
        this.#selected = room;
        this.#conversation = conversation;
        const open = this.#open;
        byId("no-room").hidden = open !== undefined;
        byId("room-open").hidden = open === undefined;
        document.body.toggleAttribute("data-room", room !== undefined);
        this.#drawHeader();
        this.#timelines.replaceChildren(...(open === undefined ? [] : [open.timeline.element]));
        this.#members.makeRoom();
        this.#asked = undefined;
        this.#listed = [];
        this.#showMembers();
        void this.#readMembers();
        if (open !== undefined) {
            document.body.dataset["view"] = "room";
            byId("room-name").firstElementChild?.replaceChildren(open.name);
            this.#composer.text = open.draft;
            this.#composer.roomName = open.name;
            open.show();
            this.#composer.focus();
        }
        this.#changed();
    }

    /** What the buttons above the messages do. */
    #drawHeader(): void {
        const playerId = this.#conversation?.player.playerId;
        byId("members-toggle").hidden = playerId !== undefined;
        byId("leave").textContent = playerId === undefined ? "Leave" : "Close";
        byId("block").hidden = playerId === undefined || playerId === this.#client?.identity?.playerId;
        byId("block").textContent = playerId !== undefined && this.#conversations.blocked.has(playerId) ? "Unblock" : "Block";
    }

    #goToNewest(): void {
        this.#open?.timeline.scrollToNewest();
        this.#open?.pageShown();
        this.#composer.focus();
        this.#drawToNewest();
    }

    /** The topic under the room's name, and what moderators have set. */
    #drawTopic(): void {
        const terms = this.#client?.room(this.#selected?.roomId ?? 0n)?.terms;
        const slow = terms?.slowModeSeconds ?? 0;
        const parts = [
            terms?.topic ?? "", slow > 0 ? `Slow mode: ${slow} s` : "", terms?.locked === true ? "Locked" : "",
            terms?.hasPassword === true ? "Password" : "", (terms?.capacity ?? 0) > 0 ? `${terms?.capacity} players at once` : "",
        ];
        byId("room-topic").textContent = parts.filter((part) => part !== "").join(" \u00b7 ");
    }

    #membersChanged(roomId: bigint | undefined): void {
        if (roomId === undefined) {
            return;
        }
        this.#list.draw();
        if (roomId === this.#selected?.roomId) {
            this.#showMembers();
            void this.#readMembers();
        }
    }

    /** What is unread or selected has changed. */
    #changed(): void {
        const unread = [...this.#rooms.values()].reduce((sum, room) => sum + room.unread, this.#conversations.unread);
        const name = this.#open?.name;
        document.title = `${unread > 0 ? `(${unread}) ` : ""}${name === undefined ? "" : `${name} · `}PlayChat`;
        const members = this.#client?.room(this.#selected?.roomId ?? 0n)?.members;
        byId("typing").textContent =
            this.#selected?.typists.describe((id) => members?.find(({ playerId }) => playerId === id)?.name) ?? "";
        this.#list.draw();
        this.#drawTopic();
        this.#drawToNewest();
    }

    #drawToNewest(): void {
        const room = this.#open;
        this.#toNewest.hidden = room === undefined || room.timeline.isAtNewest;
        const unread = room?.unread ?? 0;
        this.#toNewest.textContent = unread === 0 ? "Newest messages" : unread === 1 ? "1 new message" : `${unread} new messages`;
    }
}
