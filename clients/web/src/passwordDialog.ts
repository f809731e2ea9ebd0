import { byId } from "./dom.js";
import { describe } from "./errors.js";

/** Asks for the password of a room: to enter it, or to give it another one. */
export class PasswordDialog {
    readonly #dialog = byId<HTMLDialogElement>("password-dialog");
    readonly #password = byId<HTMLInputElement>("password-text");
    readonly #error = byId("password-error");
    #use: (password: string) => Promise<() => void> = () => Promise.resolve(() => undefined);

    constructor() {
        byId("password-cancel").addEventListener("click", () => this.close());
        byId("password-form").addEventListener("submit", (event) => {
            event.preventDefault();
            this.#error.textContent = "";
            this.#use(this.#password.value).then((then) => {
                this.close();
                then();
            }, (error: unknown) => {
                this.#error.textContent = describe(error);
                this.#password.select();
            });
        });
    }

    /**
     * @param use Uses the password and resolves with what to do after the dialog; it rejects with what went wrong.
     * @param isNew Whether the password is a new one.
     */
    open(title: string, use: (password: string) => Promise<() => void>, isNew = false): void {
        this.#use = use;
        this.#error.textContent = "";
        this.#password.value = "";
        this.#password.required = !isNew;
        byId("password-title").textContent = title;
        this.#dialog.showModal();
    }

    close(): void {
        this.#password.value = "";
        this.#dialog.close();
    }
}
