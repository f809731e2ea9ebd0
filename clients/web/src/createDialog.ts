import { byId } from "./dom.js";
import { describe } from "./errors.js";

/** How a new room is made. */
export interface NewRoom {
    readonly name: string;
    readonly isPrivate: boolean;
    readonly capacity: number;
    readonly password: string;
}

/** Asks for a new room. */
export class CreateDialog {
    readonly #dialog = byId<HTMLDialogElement>("create-dialog");
    readonly #name = byId<HTMLInputElement>("create-name");
    readonly #private = byId<HTMLInputElement>("create-private");
    readonly #capacity = byId<HTMLInputElement>("create-capacity");
    readonly #password = byId<HTMLInputElement>("create-password");
    readonly #error = byId("create-error");

    /** @param create Makes the room and resolves with what to do after the dialog; it rejects with what went wrong. */
    constructor(create: (room: NewRoom) => Promise<() => void>) {
        byId("create-cancel").addEventListener("click", () => this.close());
        byId("create-form").addEventListener("submit", (event) => {
            event.preventDefault();
            const name = this.#name.value.trim();
            if (name === "") {
                this.#error.textContent = "Enter a name.";
                return;
            }
            this.#error.textContent = "";
            create({
                name,
                isPrivate: this.#private.checked,
                capacity: Math.max(0, this.#capacity.valueAsNumber || 0),
                password: this.#password.value,
            }).then((enter) => {
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
        this.#capacity.value = this.#password.value = "";
        byId("create-private-row").hidden = !mayBePrivate;
        this.#error.textContent = "";
        this.#name.value = name;
        this.#dialog.showModal();
        this.#name.select();
    }

    close(): void {
        this.#password.value = "";
        this.#dialog.close();
    }
}
