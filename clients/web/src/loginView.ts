import { ChatError, type Credentials, ErrorCode } from "@playchat/client";
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
    // What the player has been told about this name, and does nevertheless by pressing the button again.
    #mayRegister = false;
    #mayTakeOver = false;
    #label = "Log in";

    /** @param login Connects and logs in; it rejects with what went wrong. */
    constructor(private readonly login: (credentials: Credentials) => Promise<void>) {
        this.#name.addEventListener("input", () => this.#forget());
        // The button may ask in place of logging in: an Enter that is held, or a second click, is no answer to what was not read yet.
        const form = byId("login-form");
        form.addEventListener("keydown", (event) => {
            if (event.key === "Enter" && event.repeat) {
                event.preventDefault();
            }
        });
        this.#submit.addEventListener("click", (event) => {
            if (event.detail > 1) {
                event.preventDefault();
            }
        });
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            void this.#logIn();
        });
    }

    /** @param notice Why the player has to log in again. */
    show(notice = ""): void {
        this.#notice.textContent = notice;
        this.#notice.hidden = notice === "";
        this.#error.textContent = "";
        this.#submit.disabled = false;
        this.#name.value ||= savedName();
        (this.#name.value === "" ? this.#name : this.#password).focus();
    }

    /** @param notice What the player waits for. There is no login until the form is shown again. */
    wait(notice: string): void {
        this.show(notice);
        this.#submit.disabled = true;
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
            const noRegistration = !this.#mayRegister;
            const noTakeover = !this.#mayTakeOver;
            await this.login({ name, password: this.#password.value, noRegistration, noTakeover });
            saveName(name);
            this.#password.value = "";
            this.#forget();
        } catch (error) {
            if (this.#asks(name, error)) {
                return;
            }
            this.#error.textContent = describe(error);
            this.#password.select();
            const needsPassword = error instanceof ChatError && error.code === ErrorCode.PASSWORD_REQUIRED;
            (this.#password.value === "" && !needsPassword ? this.#name : this.#password).focus();
        } finally {
            this.#submit.disabled = false;
            this.#submit.textContent = this.#label;
        }
    }

    /** Asks where the server asks: the button then says what it does when it is pressed again. */
    #asks(name: string, error: unknown): boolean {
        const code = error instanceof ChatError ? error.code : undefined;
        if (code === ErrorCode.NAME_UNKNOWN) {
            this.#mayRegister = true;
            this.#label = "Create account";
            this.#error.textContent = `There is no account ${name}. Create it? Otherwise correct the name.`;
        } else if (code === ErrorCode.NAME_IN_USE) {
            this.#mayTakeOver = true;
            this.#label = "Log in here";
            this.#error.textContent = `${name} is logged in elsewhere, perhaps in another tab. `
                + "If you log in here, that session ends and leaves its rooms. A room in which nobody else is ends with it.";
        } else {
            return false;
        }
        this.#submit.disabled = false; // a disabled button takes no focus
        this.#submit.focus();
        return true;
    }

    /** Takes back what was asked: it was about another name. */
    #forget(): void {
        if (this.#mayRegister || this.#mayTakeOver) {
            this.#error.textContent = "";
        }
        this.#mayRegister = this.#mayTakeOver = false;
        this.#submit.textContent = this.#label = "Log in";
    }
}
