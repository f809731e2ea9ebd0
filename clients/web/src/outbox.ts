import type { ChatClient } from "@playchat/client";
import { make } from "./dom.js";
import { describe, patiently } from "./errors.js";
import { type Timeline, drawMessage } from "./timeline.js";

interface Waiting {
    readonly text: string;
    readonly messageId: bigint;
    readonly row: HTMLElement;
    readonly state: HTMLElement;
    /** The place that the server gave it; it is shown until the timeline has its own copy. */
    sequence: bigint | undefined;
}

/**
 * The own messages of one room or conversation that are on their way. They go out one after the other, so their order stays when one is sent again. A
 * message that is sent again keeps its number, so that the server takes it once.
 */
export class Outbox {
    readonly #waiting: Waiting[] = [];
    #isSending = false;

    constructor(
        private readonly client: ChatClient,
        /** Sends a text under a number of its own, and resolves with its place. */
        private readonly send: (text: string, messageId: bigint) => Promise<bigint>,
        private readonly timeline: Timeline,
    ) {}

    add(text: string): void {
        const row = drawMessage(this.client.identity?.name ?? "", text, Date.now(), true);
        const state = make("div", { className: "state" });
        row.append(state);
        row.classList.add("waiting");
        this.timeline.addSent(row);
        this.#waiting.push({ text, messageId: this.client.newMessageId(), row, state, sequence: undefined });
        void this.#sendAll();
    }

    /** The room has shown its messages up to this sequence. */
    shown(sequence: bigint): void {
        for (const message of this.#waiting.filter((waiting) => waiting.sequence !== undefined && waiting.sequence <= sequence)) {
            this.#remove(message);
        }
    }

    async #sendAll(): Promise<void> {
        if (this.#isSending) {
            return;
        }
        this.#isSending = true;
        try {
            for (let next = this.#next(); next !== undefined; next = this.#next()) {
                if (!(await this.#send(next))) {
                    return;
                }
            }
        } finally {
            this.#isSending = false;
        }
    }

    #next(): Waiting | undefined {
        return this.#waiting.find((message) => message.sequence === undefined);
    }

    /** @returns False when it was not sent: those behind it wait, too. */
    async #send(message: Waiting): Promise<boolean> {
        try {
            // The client holds it during a break of the connection, however long that is.
            message.sequence = await patiently(() => this.send(message.text, message.messageId));
            this.shown(this.timeline.lastSequence ?? 0n);
            return true;
        } catch (error) {
            this.#fail(message, describe(error));
            return false;
        }
    }

    #fail(message: Waiting, why: string): void {
        const retry = make("button", { type: "button" }, "Send again");
        const discard = make("button", { type: "button" }, "Discard");
        retry.addEventListener("click", () => {
            message.row.classList.remove("failed");
            message.state.replaceChildren();
            void this.#sendAll();
        });
        discard.addEventListener("click", () => {
            this.#remove(message);
            void this.#sendAll();
        });
        this.timeline.change(() => {
            message.row.classList.add("failed");
            message.state.replaceChildren(`Not sent. ${why} `, retry, " ", discard);
        });
    }

    #remove(message: Waiting): void {
        this.#waiting.splice(this.#waiting.indexOf(message), 1);
        this.timeline.change(() => message.row.remove());
    }
}
