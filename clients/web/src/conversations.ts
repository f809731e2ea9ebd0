import type { ChatClient, Member, SDirectSentNtf } from "@playchat/client";
import { ConversationView } from "./conversationView.js";
import { byId, make } from "./dom.js";

/** The conversations of a player beside the rooms, and the players that it has blocked; empty where direct messages are not stored. */
export class Conversations {
    readonly blocked = new Set<bigint>();
    readonly #views = new Map<bigint, ConversationView>();
    readonly #list = byId("conversations");
    #client: ChatClient | undefined;
    #drawn = "";

    constructor(
        private readonly selected: () => ConversationView | undefined,
        private readonly choose: (conversation: ConversationView) => void,
        private readonly told: { readonly changed: () => void; readonly blockedChanged: () => void },
    ) {}

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
        this.#client = undefined;
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
            const { conversations, blockedPlayerIds } = await client.listConversations();
            if (client !== this.#client) {
                return;
            }
            conversations.forEach((one) => one.player !== undefined && this.open(one.player).update(one));
            this.#block(blockedPlayerIds);
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
