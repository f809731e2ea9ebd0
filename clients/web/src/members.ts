import type { JoinedRoom, ListedMember, Member } from "@playchat/client";
import { byId, make, moveFocus } from "./dom.js";
import { Menu, type MenuEntry } from "./menu.js";
import { roleName } from "./moderation.js";
import { avatar } from "./text.js";
import { fullTime } from "./time.js";

// A longer list is cut: drawing it would take long, and a reader gains nothing from it.
export const maxMembers = 500;

/** Those that are not in the room now. */
export function offline(listed: readonly ListedMember[]): Member[] {
    return listed.flatMap(({ member, online }) => online || member === undefined ? [] : [member]);
}

const wide = window.matchMedia("(min-width: 70rem)");

/** The list of the members of the room that is shown; beside the messages, or above them where there is no room. */
export class Members {
    readonly #list = byId<HTMLUListElement>("member-list");
    readonly #toggle = byId<HTMLButtonElement>("members-toggle");
    readonly #count = byId("member-count");
    readonly #menu = new Menu(() => this.#redraw());
    #shown: readonly Member[] | undefined;
    #listed: readonly ListedMember[] = [];
    #room: JoinedRoom | undefined;
    #later: (() => void) | undefined; // draws what has changed while the menu was open

    /** @param entriesOf What the reader can do to another member; `undefined` if it is not known whether that is muted. */
    constructor(private readonly entriesOf: (member: Member, isMuted: boolean | undefined) => readonly MenuEntry[]) {
        this.#list.addEventListener("keydown", (event) => moveFocus([...this.#list.querySelectorAll("button")], event));
        this.#toggle.addEventListener("click", () => this.toggle());
        byId("members-close").addEventListener("click", () => this.close());
        wide.addEventListener("change", () => this.#setOpen(wide.matches));
        this.#setOpen(wide.matches);
    }

    get isOverlay(): boolean {
        return this.isOpen && !wide.matches;
    }

    get isOpen(): boolean {
        return document.body.dataset["members"] === "open";
    }

    toggle(): void {
        this.#setOpen(!this.isOpen);
        if (this.isOpen) {
            this.#list.focus();
        }
    }

    open(): void {
        this.#setOpen(true);
        this.#list.focus();
    }

    close(): void {
        this.#setOpen(false);
        this.#toggle.focus();
    }

    /** Closes it where it lies above the messages. */
    makeRoom(): void {
        if (this.isOverlay) {
            this.#setOpen(false);
        }
    }

    /** @param listed All members as the server lists them, where rooms last. */
    show(room: JoinedRoom | undefined, ownId: bigint | undefined, listed: readonly ListedMember[]): void {
        if (this.#menu.isOpen && room?.roomId === this.#room?.roomId) {
            this.#later = () => this.show(room, ownId, listed);
            return;
        }
        this.#later = undefined;
        this.#menu.close();
        this.#room = room;
        const members = room?.members ?? [];
        if (members === this.#shown && listed === this.#listed) {
            return;
        }
        this.#shown = members;
        this.#listed = listed;
        const mutes = new Map(listed.map(({ member, mutedUntilUnixMs }) => [member?.playerId, Number(mutedUntilUnixMs)]));
        this.#count.textContent = members.length === 1 ? "1 member" : `${members.length} members`;
        const byName = (a: Member, b: Member): number => a.name.localeCompare(b.name);
        const sorted = [...[...members].sort(byName), ...offline(listed).sort(byName)];
        const rows = sorted.slice(0, maxMembers).map((member, index) => {
            const isOwn = member.playerId === ownId;
            const row = isOwn ? make("span", { className: "member" }) : make("button", { type: "button", className: "member" });
            row.append(avatar(member.name, "small"), make("bdi", {}, member.name));
            const role = roleName(member.role);
            if (role !== "") {
                row.append(" ", make("span", { className: "role" }, role));
            }
            const isOffline = index >= members.length;
            if (isOffline) {
                row.append(" ", make("span", { className: "role" }, "offline"));
            }
            const mutedUntil = mutes.get(member.playerId) ?? 0;
            if (mutedUntil > Date.now()) {
                row.append(" ", make("span", { className: "role", title: `until ${fullTime(mutedUntil)}` }, "muted"));
            }
            if (isOwn) {
                row.append(" ", make("span", { className: "you" }, "you"));
            }
            if (row instanceof HTMLButtonElement) {
                row.dataset["member"] = String(member.playerId);
                this.#menu.attach(row, member.name, () => this.entriesOf(member, listed.length === 0 ? undefined : mutedUntil > Date.now()));
            }
            return make("li", { className: isOffline ? "offline" : "" }, row);
        });
        if (sorted.length > maxMembers) {
            rows.push(make("li", { className: "muted" }, `and ${sorted.length - maxMembers} more`));
        }
        const focused = (document.activeElement as HTMLElement | null)?.dataset["member"];
        this.#list.replaceChildren(...rows);
        if (focused !== undefined) {
            this.#list.querySelector<HTMLElement>(`[data-member="${focused}"]`)?.focus();
        }
    }

    #redraw(): void {
        const later = this.#later;
        this.#later = undefined;
        later?.();
    }

    #setOpen(isOpen: boolean): void {
        document.body.dataset["members"] = isOpen ? "open" : "closed";
        this.#toggle.ariaExpanded = String(isOpen);
    }
}
