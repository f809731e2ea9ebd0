import type { ChatClient, SRoomChatNtf } from "@playchat/client";
import { byId, make } from "./dom.js";
import { describe } from "./errors.js";
import { fullTime } from "./time.js";

/** Finds what was said in the reader's rooms, newest first. */
export class SearchDialog {
    readonly #dialog = byId<HTMLDialogElement>("search-dialog");
    readonly #words = byId<HTMLInputElement>("search-words");
    readonly #here = byId<HTMLInputElement>("search-here");
    readonly #note = byId("search-note");
    readonly #found = byId("search-found");
    readonly #more = byId<HTMLButtonElement>("search-more");
    #client: ChatClient | undefined;
    #roomId: bigint | undefined; // the room that is open
    #last: SRoomChatNtf | undefined; // of the pages that are shown
    #search = 0; // the answer to an earlier search comes too late

    /**
     * @param nameOf The name of a room.
     * @param chosen A message was chosen.
     */
    constructor(private readonly nameOf: (roomId: bigint) => string | undefined, private readonly chosen: (message: SRoomChatNtf) => void) {
        byId("search-form").addEventListener("submit", (event) => {
            event.preventDefault();
            void this.#read(false);
        });
        this.#more.addEventListener("click", () => void this.#read(true));
        byId("search-close").addEventListener("click", () => this.close());
    }

    open(client: ChatClient, roomId: bigint | undefined, words: string): void {
        this.#client = client;
        this.#roomId = roomId;
        this.#here.disabled = roomId === undefined;
        this.#here.checked = false;
        this.#clear();
        this.#words.value = words;
        this.#dialog.showModal();
        this.#words.focus();
        if (words !== "") {
            void this.#read(false);
        }
    }

    close(): void {
        this.#search++;
        this.#dialog.close();
    }

    #clear(): void {
        this.#found.replaceChildren();
        this.#note.textContent = "";
        this.#more.hidden = true;
        this.#last = undefined;
    }

    async #read(isNext: boolean): Promise<void> {
        const search = ++this.#search;
        const words = this.#words.value.trim();
        if (!isNext) {
            this.#clear();
        }
        if (words === "" || this.#client === undefined) {
            return;
        }
        this.#note.textContent = "Searching\u2026";
        try {
            const page = await this.#client.search(words, {
                roomId: this.#here.checked ? this.#roomId : undefined, before: isNext ? this.#last : undefined,
            });
            if (search === this.#search) {
                this.#last = page.messages.at(-1) ?? this.#last;
                this.#found.append(...page.messages.map((message) => this.#draw(message)));
                this.#more.hidden = !page.more;
                const count = this.#found.childElementCount;
                this.#note.textContent = count === 0 ? "Nothing was found." : count === 1 ? "1 message"
                    : `${count} messages${page.more ? ", and more" : ""}`;
            }
        } catch (error) {
            if (search === this.#search) {
                this.#note.textContent = describe(error);
            }
        }
    }

    #draw(message: SRoomChatNtf): HTMLElement {
        const button = make("button", { type: "button" },
            make("span", { className: "muted" }, `${message.playerName} in ${this.nameOf(message.roomId) ?? `room ${message.roomId}`}, `
                + fullTime(Number(message.sentAtUnixMs))),
            make("span", { dir: "auto" }, message.text));
        button.addEventListener("click", () => {
            this.close();
            this.chosen(message);
        });
        return make("li", {}, button);
    }
}
