import { byId, isComposing } from "./dom.js";
import { utf8Bytes } from "./text.js";

// proto/PROTOCOL.md, "Limits".
const maxTextBytes = 4000;
const warnBytes = 3500;

/** Where a message is written. */
export class Composer {
    readonly #form = byId<HTMLFormElement>("composer");
    readonly #text = byId<HTMLTextAreaElement>("text");
    readonly #note = byId("text-note");
    readonly #send = byId<HTMLButtonElement>("send");

    /**
     * @param send Returns what is wrong with the text, which then stays.
     * @param typed Called when the reader has typed something to say.
     * @param editLast Called when the reader goes up from an empty line.
     */
    constructor(send: (text: string) => string | undefined, typed: () => void, editLast: () => void) {
        this.#text.addEventListener("input", () => {
            this.#changed();
            if (this.#text.value !== "" && !this.#text.value.startsWith("/")) {
                typed();
            }
        });
        this.#text.addEventListener("keydown", (event) => {
            // The Enter that ends a Korean or Japanese word belongs to the word.
            if (event.key === "Enter" && !event.shiftKey && !isComposing(event)) {
                event.preventDefault();
                this.#form.requestSubmit();
            } else if (event.key === "ArrowUp" && this.#text.value === "" && !event.altKey) {
                event.preventDefault();
                editLast();
            }
        });
        this.#form.addEventListener("submit", (event) => {
            event.preventDefault();
            const text = this.#text.value.trim();
            if (text !== "" && utf8Bytes(text) <= maxTextBytes) {
                const problem = send(text);
                if (problem === undefined) {
                    this.text = "";
                } else {
                    this.#tell(problem);
                }
            }
            this.focus();
        });
    }

    get text(): string {
        return this.#text.value;
    }

    set text(text: string) {
        this.#text.value = text;
        this.#changed();
    }

    set roomName(name: string) {
        this.#text.placeholder = `Message ${name}`;
    }

    /** Says something below the line, until it is typed in. */
    set note(text: string) {
        this.#note.textContent = text;
    }

    focus(): void {
        this.#text.focus();
    }

    #tell(problem: string): void {
        this.#note.textContent = problem;
        this.#note.classList.add("over");
        this.#text.ariaInvalid = "true";
    }

    #changed(): void {
        this.#text.style.height = "auto";
        this.#text.style.height = `${this.#text.scrollHeight + 2}px`; // 2: the border
        const left = maxTextBytes - utf8Bytes(this.#text.value.trim());
        this.#note.textContent = left < 0 ? `The message is ${-left} bytes too long. Shorten it, or send it in parts.`
            : left < maxTextBytes - warnBytes ? `${left} bytes left` : "";
        this.#note.classList.toggle("over", left < 0);
        this.#text.ariaInvalid = String(left < 0);
        this.#send.disabled = left < 0;
    }
}
