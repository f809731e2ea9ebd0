import { ChatError, type Credentials, ErrorCode } from "@playchat/client";
import { byId } from "./dom.js";
import { describe } from "./errors.js";
import { loginToken, saveName, savedName } from "./storage.js";

const aboutName = new Set([ErrorCode.NAME_INVALID, ErrorCode.NAME_UNKNOWN, ErrorCode.NAME_TAKEN]);
const aboutPassword = new Set([ErrorCode.LOGIN_REFUSED, ErrorCode.PASSWORD_REQUIRED, ErrorCode.PASSWORD_TOO_SHORT]);

/** The form that logs in, or creates an account. */
export class LoginView {
    readonly #name = byId<HTMLInputElement>("login-name");
    readonly #password = byId<HTMLInputElement>("login-password");
    readonly #nameError = byId("login-name-error");
    readonly #passwordError = byId("login-password-error");
    readonly #error = byId("login-error");
    readonly #notice = byId("login-notice");
    readonly #submit = byId<HTMLButtonElement>("login-submit");
    readonly #isKnown = byId<HTMLInputElement>("login-known");
    readonly #isNew = byId<HTMLInputElement>("login-new");
    readonly #keep = byId<HTMLInputElement>("login-keep");
    readonly #show = byId<HTMLButtonElement>("login-show");
    #mayTakeOver = false; // the player has been told about this name, and presses the button again

    /** @param login Connects and logs in; it rejects with what went wrong. */
    constructor(private readonly login: (credentials: Credentials) => Promise<void>) {
        this.#name.addEventListener("input", () => this.#forget());
        this.#isKnown.addEventListener("change", () => this.#changeKind());
        this.#isNew.addEventListener("change", () => this.#changeKind());
        this.#show.addEventListener("click", () => this.#showPassword(this.#password.type === "password"));
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
        this.#changeKind();
    }

    /** @param notice Why the player has to log in again. */
    show(notice = ""): void {
        this.#notice.textContent = notice;
        this.#notice.hidden = notice === "";
        this.#clearErrors();
        this.#submit.disabled = false;
        this.#name.value ||= savedName();
        (this.#name.value === "" ? this.#name : this.#password).focus();
    }

    /** @param notice What the player waits for. There is no login until the form is shown again. */
    wait(notice: string): void {
        this.show(notice);
        this.#submit.disabled = true;
    }

    get #label(): string {
        return this.#isNew.checked ? "Create account" : this.#mayTakeOver ? "Log in here" : "Log in";
    }

    async #logIn(): Promise<void> {
        const name = this.#name.value.trim();
        this.#clearErrors();
        if (name === "") {
            this.#tell(this.#name, this.#nameError, "Enter a name.");
            return;
        }
        const mustRegister = this.#isNew.checked;
        this.#submit.disabled = true;
        this.#submit.textContent = mustRegister ? "Creating the account…" : "Logging in…";
        try {
            await this.login({
                name, password: this.#password.value, mustRegister, noRegistration: !mustRegister, noTakeover: !this.#mayTakeOver,
                ...(this.#keep.checked ? { keep: loginToken } : {}),
            });
            saveName(name);
            this.#password.value = "";
            this.#showPassword(false);
            this.#isKnown.checked = true;
            this.#changeKind();
        } catch (error) {
            this.#fail(name, error);
        } finally {
            this.#submit.disabled = false;
            this.#submit.textContent = this.#label;
        }
    }

    /** Says beside its field what is wrong, or asks before it takes over. */
    #fail(name: string, error: unknown): void {
        const code = error instanceof ChatError ? error.code : ErrorCode.NONE;
        if (code === ErrorCode.NAME_IN_USE) {
            this.#mayTakeOver = true;
            this.#error.textContent = `${name} is logged in elsewhere, perhaps in another tab. `
                + "If you log in here, that session ends and leaves its rooms. A room in which nobody else is ends with it.";
            this.#submit.disabled = false; // a disabled button takes no focus
            this.#submit.focus();
        } else if (aboutName.has(code)) {
            this.#tell(this.#name, this.#nameError, describe(error));
        } else if (aboutPassword.has(code)) {
            this.#tell(this.#password, this.#passwordError, describe(error));
        } else {
            this.#error.textContent = describe(error);
            this.#password.focus();
        }
    }

    #tell(field: HTMLInputElement, place: HTMLElement, text: string): void {
        place.textContent = text;
        field.setAttribute("aria-invalid", "true");
        field.select();
        field.focus();
    }

    #clearErrors(): void {
        for (const place of [this.#nameError, this.#passwordError, this.#error]) {
            place.textContent = "";
        }
        this.#name.removeAttribute("aria-invalid");
        this.#password.removeAttribute("aria-invalid");
    }

    /** Takes back what was said and asked: it was about another name. */
    #forget(): void {
        this.#clearErrors();
        this.#mayTakeOver = false;
        this.#submit.textContent = this.#label;
    }

    #changeKind(): void {
        const isNew = this.#isNew.checked;
        byId("login-name-rule").hidden = byId("login-password-rule").hidden = !isNew;
        byId("login-optional").hidden = isNew;
        this.#password.autocomplete = isNew ? "new-password" : "current-password"; // a password manager offers what fits
        this.#forget();
    }

    #showPassword(isShown: boolean): void {
        this.#password.type = isShown ? "text" : "password";
        this.#show.setAttribute("aria-pressed", String(isShown));
        this.#show.textContent = isShown ? "Hide" : "Show";
    }
}
