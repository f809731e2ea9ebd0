import type { ChatClient, ConversationPlace, Member, SDirectSentNtf } from "@playchat/client";
import { ConversationView } from "./conversationView.js";
import { byId, make } from "./dom.js";
import { describe, patiently } from "./errors.js";

const pageConversations = 100;

/** The conversations of a player beside the rooms, and the players that it has blocked; empty where direct messages are not stored. */
export class Conversations {
    readonly blocked = new Set<bigint>();
    readonly #views = new Map<bigint, ConversationView>();
    readonly #list = byId("conversations");
    readonly #more = byId<HTMLButtonElement>("conversations-more");
    #client: ChatClient | undefined;
    #older: ConversationPlace | undefined; // where those begin that are not here
    #hasRead = false;
    #drawn = "";

    constructor(
        private readonly selected: () => ConversationView | undefined,
        private readonly choose: (conversation: ConversationView) => void,
        private readonly told: { readonly changed: () => void; readonly blockedChanged: () => void; readonly failed: (why: string) => void },
    ) {
        this.#more.addEventListener("click", () => void this.#readOlder());
    }

    get isStored(): boolean {
        return this.#client?.identity?.server?.directStored === true;
    }

    get unread(): number {
        return [...this.#views.values()].reduce((sum, { unread }) => sum + unread, 0);
    }

    start(client: ChatClient): void {
        this.#client = client;
        client.on("direct", ({ message }) => {
            if (message.number > 0n) {
                this.open({ playerId: message.playerId, name: message.playerName }).take(message);
            }
        });
        client.on("directSent", ({ message }) => this.#takeSent(message));
        void this.refresh();
    }

    stop(): void {
        this.#client = this.#older = undefined;
        this.#hasRead = false;
        this.#views.clear();
        this.blocked.clear();
    }

    /** Reads what the server has: after the login, and after a break. */
    async refresh(): Promise<void> {
        const client = this.#client;
        if (client === undefined || !this.isStored) {
            return;
        }
        try {
            await this.#read(client);
        } catch {
            // What arrives is shown all the same, and the next return reads it again.
        }
    }

    /** The conversation with a player. */
    open({ playerId, name }: Pick<Member, "playerId" | "name">): ConversationView {
        let view = this.#views.get(playerId);
        if (view === undefined) {
            if (this.#client === undefined) {
                throw new Error("There is no client.");
            }
            view = new ConversationView(this.#client, { playerId, name } as Member, this.told.changed);
            this.#views.set(playerId, view);
        }
        return view;
    }

    find(name: string): ConversationView | undefined {
        return [...this.#views.values()].find((view) => view.name.toLowerCase() === name.toLowerCase());
    }

    /** Blocks a player, or ends a block. */
    async block(player: bigint | string, unblock: boolean): Promise<Member | undefined> {
        const answer = await this.#client?.blockPlayer(player, unblock);
        this.#block(answer?.blocked.map(({ playerId }) => playerId) ?? []);
        return answer?.player;
    }

    focus(): void {
        this.#list.querySelector("button")?.focus();
    }

    draw(search: string): void {
        const views = [...this.#views.values()]
            .filter((view) => (view.lastAtUnixMs > 0n || view === this.selected()) && view.name.toLowerCase().includes(search.toLowerCase()))
            .sort((a, b) => Number(b.lastAtUnixMs - a.lastAtUnixMs));
        const drawn = JSON.stringify(views.map((view) => [view.name, view.unread, view.online, view === this.selected()]));
        if (drawn !== this.#drawn) {
            this.#drawn = drawn;
            const focused = (document.activeElement as HTMLElement | null)?.dataset["player"];
            this.#list.replaceChildren(...views.map((view) => this.#row(view)));
            if (focused !== undefined) {
                this.#list.querySelector<HTMLElement>(`[data-player="${focused}"]`)?.focus();
            }
        }
        byId("conversations-title").hidden = this.#list.hidden = views.length === 0;
        this.#more.hidden = this.#older === undefined;
    }

    async #read(client: ChatClient, before?: ConversationPlace): Promise<void> {
        const { conversations, blockedPlayerIds, next } = await client.listConversations(pageConversations, before);
        if (client !== this.#client) {
            return;
        }
        if (before !== undefined || !this.#hasRead) {
            this.#older = next; // a later look at the newest ones leaves the older pages as they are
            this.#hasRead = true;
        }
        conversations.forEach((one) => one.player !== undefined && this.open(one.player).update(one));
        this.#block(blockedPlayerIds);
    }

    async #readOlder(): Promise<void> {
        const [client, before] = [this.#client, this.#older];
        if (client === undefined || before === undefined) {
            return;
        }
        const row = this.#list.childElementCount;
        this.#more.disabled = true;
        try {
            await patiently(() => this.#read(client, before));
            const added = this.#list.children[row] ?? this.#list.lastElementChild;
            added?.querySelector("button")?.focus();
        } catch (error) {
            this.told.failed(`Reading older conversations failed. ${describe(error)}`);
        } finally {
            this.#more.disabled = false;
        }
    }

    #takeSent({ playerId, text, sentAtUnixMs, number }: SDirectSentNtf): void {
        const own = this.#client?.identity;
        const view = this.#views.get(playerId);
        if (view === undefined || own === undefined) {
            void this.refresh(); // the server's list has the player's name
        } else {
            view.take({ playerId: own.playerId, playerName: own.name, text, sentAtUnixMs, number });
        }
    }

    #block(ids: readonly bigint[]): void {
        this.blocked.clear();
        ids.forEach((id) => this.blocked.add(id));
        this.told.blockedChanged();
        this.told.changed();
    }

    #row(view: ConversationView): HTMLElement {
        const state = view.unread > 0
            ? [make("span", { className: "badge" }, view.unread > 99 ? "99+" : String(view.unread), make("span", { className: "hidden" }, " unread"))]
            : view.online ? [make("span", { className: "count" }, "online")] : [];
        const button = make("button", { type: "button", className: "room-item" },
            make("span", { className: "name" }, make("bdi", {}, view.name)), " ", ...state);
        button.dataset["player"] = String(view.player.playerId);
        button.classList.toggle("unread", view.unread > 0);
        if (view === this.selected()) {
            button.ariaCurrent = "true";
        }
        button.addEventListener("click", () => this.choose(view));
        return make("li", {}, button);
    }
}
