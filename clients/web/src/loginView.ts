import { ChatError, ErrorCode } from "@playchat/client";
import { byId } from "./dom.js";
import { describe } from "./errors.js";
import { saveName, savedName } from "./storage.js";

/** The login form. */
export class LoginView {
    readonly #name = byId<HTMLInputElement>("login-name");
    readonly #password = byId<HTMLInputElement>("login-password");
    readonly #error = byId("login-error");
    readonly #notice = byId("login-notice");
    readonly #submit = byId<HTMLButtonElement>("login-submit");

    /** @param login Connects and logs in; it rejects with what went wrong. */
    constructor(private readonly login: (name: string, password: string) => Promise<void>) {
        byId("login-form").addEventListener("submit", (event) => {
            event.preventDefault();
            void this.#logIn();
        });
    }

    /** @param notice Why the player has to log in again. */
    show(notice = ""): void {
        this.#notice.textContent = notice;
        this.#notice.hidden = notice === "";
        this.#error.textContent = "";
        this.#name.value ||= savedName();
        (this.#name.value === "" ? this.#name : this.#password).focus();
    }

    async #logIn(): Promise<void> {
        const name = this.#name.value.trim();
        this.#error.textContent = "";
        if (name === "") {
            this.#error.textContent = "Enter a name.";
            this.#name.focus();
            return;
        }
        this.#submit.disabled = true;
        this.#submit.textContent = "Logging in…";
        try {
            await this.login(name, this.#password.value);
            saveName(name);
            this.#password.value = "";
        } catch (error) {
            this.#error.textContent = describe(error);
            this.#password.select();
            const needsPassword = error instanceof ChatError && error.code === ErrorCode.PASSWORD_REQUIRED;
            (this.#password.value === "" && !needsPassword ? this.#name : this.#password).focus();
        } finally {
            this.#submit.disabled = false;
            this.#submit.textContent = "Log in";
        }
    }
}
