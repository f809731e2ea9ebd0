import type { JoinedRoom, Member } from "@playchat/client";
import { byId, make } from "./dom.js";
import { roleName } from "./moderation.js";
import { avatar } from "./text.js";

// A longer list is cut: drawing it would take long, and a reader gains nothing from it.
const maxShown = 500;

const wide = window.matchMedia("(min-width: 70rem)");

/** The list of the members of the room that is shown; beside the messages, or above them where there is no room. */
export class Members {
    readonly #list = byId<HTMLUListElement>("member-list");
    readonly #toggle = byId<HTMLButtonElement>("members-toggle");
    readonly #count = byId("member-count");
    #shown: readonly Member[] | undefined;
    #offline: readonly Member[] = [];

    constructor() {
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

    /** @param offline Members that are not in the room now, where rooms last. */
    show(room: JoinedRoom | undefined, ownId: bigint | undefined, offline: readonly Member[] = []): void {
        const members = room?.members ?? [];
        if (members === this.#shown && offline === this.#offline) {
            return;
        }
        this.#shown = members;
        this.#offline = offline;
        this.#count.textContent = members.length === 1 ? "1 member" : `${members.length} members`;
        const byName = (a: Member, b: Member): number => a.name.localeCompare(b.name);
        const sorted = [...[...members].sort(byName), ...[...offline].sort(byName)];
        const rows = sorted.slice(0, maxShown).map((member, index) => {
            const row = make("li", {}, avatar(member.name, "small"), make("bdi", {}, member.name));
            const role = roleName(member.role);
            if (role !== "") {
                row.append(make("span", { className: "role" }, role));
            }
            if (index >= members.length) {
                row.className = "offline";
                row.append(make("span", { className: "role" }, "offline"));
            }
            if (member.playerId === ownId) {
                row.append(make("span", { className: "you" }, "you"));
            }
            return row;
        });
        if (sorted.length > maxShown) {
            rows.push(make("li", { className: "muted" }, `and ${sorted.length - maxShown} more`));
        }
        this.#list.replaceChildren(...rows);
    }

    #setOpen(isOpen: boolean): void {
        document.body.dataset["members"] = isOpen ? "open" : "closed";
        this.#toggle.ariaExpanded = String(isOpen);
    }
}
