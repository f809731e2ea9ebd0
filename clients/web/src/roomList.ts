import type { ChatClient, RoomInfo } from "@playchat/client";
import { byId, isComposing, make } from "./dom.js";
import { describe } from "./errors.js";
import type { RoomView } from "./roomView.js";

const refreshMs = 10_000;
// A search does not miss a room that is older than this.
const staleMs = 1000;
const pageRooms = 200;
const maxRooms = 2000;

/** What a line of the list shows of a room. */
interface Row {
    readonly roomId: bigint;
    readonly name: string;
    readonly members: number;
    readonly maxMembers?: number;
}

/** What keeps players out that are no members. */
function doorOf({ terms }: RoomInfo): string {
    return terms?.locked === true ? "locked" : terms?.hasPassword === true ? "password" : "";
}

/** The rooms: those that the player is in, with what is unread there, and the others. */
export class RoomList {
    readonly #mine = byId("rooms-mine");
    readonly #others = byId("rooms-others");
    readonly #note = byId("rooms-note");
    readonly #search = byId<HTMLInputElement>("room-search");
    #listed: RoomInfo[] = [];
    #hasMore = false;
    #client: ChatClient | undefined;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #drawn = "";
    #readAt = 0;

    constructor(
        private readonly rooms: ReadonlyMap<bigint, RoomView>,
        private readonly selected: () => bigint | undefined,
        private readonly choose: (roomId: bigint) => void,
        /** Draws what is in the list beside rooms. */
        private readonly drawOthers: (search: string) => void,
    ) {
        this.#search.addEventListener("input", () => {
            this.draw();
            clearTimeout(this.#timer);
            this.#timer = setTimeout(() => void this.refresh(), Math.max(0, this.#readAt + staleMs - Date.now()));
        });
        this.#search.addEventListener("keydown", (event) => {
            if (isComposing(event)) {
                return;
            }
            if (event.key === "Enter") {
                byId("room-lists").querySelector<HTMLElement>(".room-item")?.click();
            } else if (event.key === "ArrowDown") {
                event.preventDefault();
                byId("room-lists").querySelector<HTMLElement>(".room-item")?.focus();
            }
        });
        byId("room-lists").addEventListener("keydown", (event) => this.#move(event));
        document.addEventListener("visibilitychange", () => this.#refreshIfShown());
    }

    get searchText(): string {
        return this.#search.value.trim();
    }

    focusSearch(text = this.#search.value): void {
        this.#search.value = text;
        this.#search.dispatchEvent(new Event("input"));
        this.#search.focus();
        this.#search.select();
    }

    clearSearch(): void {
        this.#search.value = "";
        this.draw();
    }

    start(client: ChatClient): void {
        this.#client = client;
        void this.refresh();
    }

    stop(): void {
        this.#client = undefined;
        clearTimeout(this.#timer);
        this.#listed = [];
        this.#search.value = "";
    }

    /** Reads the list anew, and again from time to time while the page is looked at. */
    async refresh(): Promise<void> {
        const client = this.#client;
        clearTimeout(this.#timer);
        if (client === undefined) {
            return;
        }
        this.#readAt = Date.now();
        try {
            const listed: RoomInfo[] = [];
            let page;
            let after = 0n;
            do {
                page = await client.listRooms(after, pageRooms);
                after = page.lastRoomId;
                listed.push(...page.rooms);
            } while (page.more && listed.length < maxRooms);
            if (client !== this.#client) {
                return;
            }
            this.#listed = listed;
            this.#hasMore = page.more;
            this.draw();
        } catch (error) {
            if (client === this.#client && client.state === "connected") {
                this.#note.textContent = `Listing the rooms failed. ${describe(error)}`;
            }
        }
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#refreshIfShown(), refreshMs);
    }

    /** The rooms of the player in the order in which they are shown. */
    mine(): RoomView[] {
        return [...this.rooms.values()].sort((a, b) => a.name.localeCompare(b.name) || Number(a.roomId - b.roomId));
    }

    /** The name of a room that the server has listed. */
    nameOf(roomId: bigint): string | undefined {
        return this.#listed.find((room) => room.roomId === roomId)?.name;
    }

    draw(): void {
        this.drawOthers(this.searchText);
        const search = this.searchText.normalize().toLowerCase();
        const matches = (text: string): boolean => text.normalize().toLowerCase().includes(search);
        const types = new Map(this.#listed.map((room) => [room.roomId, room.type]));
        const typeOf = (roomId: bigint): string => types.get(roomId) ?? "";
        const mine = this.mine().filter((room) => matches(room.name) || matches(typeOf(room.roomId)));
        const others = this.#listed.filter((room) => !this.rooms.has(room.roomId) && (matches(room.name) || matches(room.type)))
            .sort((a, b) => b.members - a.members || a.name.localeCompare(b.name));
        // Rooms of one name are told apart by their numbers.
        const key = (name: string): string => name.normalize().toLowerCase();
        const rooms = new Map([...this.#listed, ...this.rooms.values()].map((room) => [room.roomId, key(room.name)]));
        const counts = new Map<string, number>();
        rooms.forEach((name) => counts.set(name, (counts.get(name) ?? 0) + 1));
        const hasTwin = (room: Row): boolean => (counts.get(key(room.name)) ?? 0) > 1;
        const selected = this.selected();
        // Drawing the same again would take the focus from its place.
        const drawn = JSON.stringify([
            mine.map((room) => [String(room.roomId), room.unread, room.mentions, room.members, room.roomId === selected, typeOf(room.roomId), hasTwin(room)]),
            others.map((room) => [String(room.roomId), room.members, room.maxMembers, doorOf(room), hasTwin(room)]),
            search,
        ]);
        if (drawn !== this.#drawn) {
            this.#drawn = drawn;
            const focused = (document.activeElement as HTMLElement | null)?.dataset["room"];
            this.#mine.replaceChildren(...mine.map((room) => this.#row(room, typeOf(room.roomId), hasTwin(room), room)));
            this.#others.replaceChildren(...others.map((room) => this.#row(room, [room.type, doorOf(room)].filter((word) => word !== "").join(" \u00b7 "), hasTwin(room))));
            if (focused !== undefined) {
                byId("room-lists").querySelector<HTMLElement>(`[data-room="${focused}"]`)?.focus();
            }
        }
        byId("mine-title").hidden = this.#mine.hidden = mine.length === 0;
        byId("others-title").hidden = this.#others.hidden = others.length === 0;
        this.#note.textContent = mine.length + others.length > 0
            ? (this.#hasMore ? `Only the first ${maxRooms} rooms are listed.` : "")
            : search === "" ? "There is no room yet. Create the first one." : "No room has this name. You can create it.";
    }

    #row({ roomId, name, members, maxMembers = 0 }: Row, type: string, hasTwin: boolean, joined?: RoomView): HTMLElement {
        const isFull = maxMembers > 0 && members >= maxMembers;
        const count = joined !== undefined && joined.unread > 0
            ? make("span", { className: "badge" }, `${joined.mentions > 0 ? "@ " : ""}${joined.unread > 99 ? "99+" : joined.unread}`,
                make("span", { className: "hidden" }, joined.mentions > 0 ? ` unread, ${joined.mentions} mention you` : " unread"))
            : make("span", { className: "count" }, isFull ? "full" : String(members),
                make("span", { className: "hidden" }, isFull ? "" : members === 1 ? " member" : " members"));
        const button = make("button", { type: "button", className: "room-item" }, make("span", { className: "name" }, make("bdi", {}, name)), " ",
            ...(hasTwin ? [make("span", { className: "type" }, `no. ${roomId}`), " "] : []),
            ...(type === "" ? [] : [make("span", { className: "type" }, type), " "]), count);
        button.dataset["room"] = String(roomId);
        button.classList.toggle("unread", (joined?.unread ?? 0) > 0);
        if (roomId === this.selected()) {
            button.ariaCurrent = "true";
        }
        button.addEventListener("click", () => this.choose(roomId));
        return make("li", {}, button);
    }

    /** Arrow keys go through both lists. */
    #move(event: KeyboardEvent): void {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step === undefined || event.altKey) {
            return;
        }
        const buttons = [...byId("room-lists").querySelectorAll<HTMLButtonElement>("button:not([hidden])")];
        const index = buttons.indexOf(document.activeElement as HTMLButtonElement);
        event.preventDefault();
        (buttons[index + step] ?? (step < 0 ? this.#search : undefined))?.focus();
    }

    #refreshIfShown(): void {
        if (document.visibilityState === "visible") {
            void this.refresh();
        }
    }
}
