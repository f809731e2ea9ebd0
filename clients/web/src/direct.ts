import type { ChatClient } from "@playchat/client";
import { findAtStart } from "./commands.js";
import { make } from "./dom.js";
import { describe } from "./errors.js";
import { textNodes, utf8Bytes } from "./text.js";

interface Player {
    readonly playerId: bigint;
    readonly name: string;
}

const usage = "/msg NAME TEXT";
const maxTextBytes = 4000; // proto/PROTOCOL.md, "Limits"
const maxNames = 20;

/** Direct messages of one login as lines between others: those that arrive, and those that are sent by a command. */
export class DirectMessages {
    readonly #writers = new Map<bigint, Player>();

    /**
     * @param show Shows a line where the reader looks.
     * @param isOpen Whether the reader looks at the conversation with this player, which has the message.
     * @param sent A message was sent.
     */
    constructor(
        private readonly client: ChatClient,
        private readonly show: (line: HTMLElement) => void,
        isOpen: (playerId: bigint) => boolean,
        private readonly sent: () => void,
    ) {
        client.on("direct", ({ message }) => {
            this.#writers.set(message.playerId, { playerId: message.playerId, name: message.playerName });
            if (message.number === 0n || !isOpen(message.playerId)) {
                this.show(drawDirect("from", message.playerName, message.text));
            }
        });
    }

    /** The player whose name begins a text: of the rooms here, or one that has written. */
    find(text: string): Player | undefined {
        return findAtStart(this.#known(), text);
    }

    /**
     * Sends what follows the command: a name and a text.
     * @returns What is wrong with it; undefined when it is on its way.
     */
    send(argument: string): string | undefined {
        const known = this.#known();
        const player = this.find(argument);
        if (player === undefined) {
            const names = known.filter(({ playerId }) => playerId !== this.client.identity?.playerId).map(({ name }) => name);
            const list = names.length === 0 ? "You know no player yet: join a room." : `You can write to: ${names.slice(0, maxNames).join(", ")}.`;
            return argument === "" ? `Type ${usage}. ${list}` : `Not sent: you know no player of this name. ${list}`;
        }
        const text = argument.slice(player.name.length).trim();
        if (text === "" || utf8Bytes(text) > maxTextBytes) {
            return text === "" ? `Type the text behind the name: ${usage}.` : "Not sent: the text is too long.";
        }
        void this.#deliver(player, text);
        return undefined;
    }

    async #deliver(player: Player, text: string): Promise<void> {
        try {
            await this.client.sendDirect(player.playerId, text);
            this.show(drawDirect("to", player.name, text));
            this.sent();
        } catch (error) {
            this.show(drawDirect("not sent to", player.name, `${text} (${describe(error)})`));
        }
    }

    #known(): Player[] {
        const players = new Map(this.#writers);
        for (const room of this.client.rooms) {
            this.client.room(room.roomId)?.members.forEach(({ playerId, name }) => players.set(playerId, { playerId, name }));
        }
        return [...players.values()];
    }
}

function drawDirect(way: string, name: string, text: string): HTMLElement {
    return make("div", { className: "line direct" },
        `[${way} `, make("bdi", {}, name), "] ", make("span", { dir: "auto" }, ...textNodes(text)));
}
