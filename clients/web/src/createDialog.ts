import { byId } from "./dom.js";
import { describe } from "./errors.js";

/** Asks for the name of a new room. */
export class CreateDialog {
    readonly #dialog = byId<HTMLDialogElement>("create-dialog");
    readonly #name = byId<HTMLInputElement>("create-name");
    readonly #private = byId<HTMLInputElement>("create-private");
    readonly #error = byId("create-error");

    /** @param create Makes the room and resolves with what to do after the dialog; it rejects with what went wrong. */
    constructor(create: (name: string, isPrivate: boolean) => Promise<() => void>) {
        byId("create-cancel").addEventListener("click", () => this.close());
        byId("create-form").addEventListener("submit", (event) => {
            event.preventDefault();
            const name = this.#name.value.trim();
            if (name === "") {
                this.#error.textContent = "Enter a name.";
                return;
            }
            this.#error.textContent = "";
            create(name, this.#private.checked).then((enter) => {
                this.close();
                enter();
            }, (error: unknown) => (this.#error.textContent = describe(error)));
        });
    }

    /**
     * @param name What the player has searched for and not found.
     * @param mayBePrivate Whether the server has private rooms.
     */
    open(name: string, mayBePrivate: boolean): void {
        this.#private.checked = false;
        byId("create-private-row").hidden = !mayBePrivate;
        this.#error.textContent = "";
        this.#name.value = name;
        this.#dialog.showModal();
        this.#name.select();
    }

    close(): void {
        this.#dialog.close();
    }
}
