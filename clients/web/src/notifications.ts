import { byId } from "./dom.js";

/** Notifications of the browser for what is meant for the reader, while the page is not looked at. It asks for them only by a click. */
export class Notifications {
    readonly #button = byId<HTMLButtonElement>("notify");

    constructor() {
        this.#button.addEventListener("click", () => void this.#ask());
        this.#draw();
    }

    show(title: string, text: string): void {
        if (document.visibilityState !== "visible" && "Notification" in window && Notification.permission === "granted") {
            const shown = new Notification(title, { body: text, tag: title });
            shown.addEventListener("click", () => window.focus());
        }
    }

    async #ask(): Promise<void> {
        await Notification.requestPermission();
        this.#draw();
    }

    #draw(): void {
        this.#button.hidden = !("Notification" in window) || Notification.permission !== "default";
    }
}
