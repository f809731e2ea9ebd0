import { make, moveFocus } from "./dom.js";

/** An entry of a menu. */
export interface MenuEntry {
    readonly label: string;
    readonly act: () => void;
}

/** A menu behind the button that opens it. Escape, Tab, an entry, and a click elsewhere close it. */
export class Menu {
    #open: { readonly button: HTMLButtonElement; readonly element: HTMLElement } | undefined;

    /** @param closed Called when it has closed. */
    constructor(private readonly closed: () => void) {}

    get isOpen(): boolean {
        return this.#open !== undefined;
    }

    /** Makes a button open the menu. */
    attach(button: HTMLButtonElement, name: string, entries: () => readonly MenuEntry[]): void {
        button.ariaHasPopup = "menu";
        button.ariaExpanded = "false";
        button.addEventListener("click", () => {
            const isOpen = this.#open?.button === button;
            this.close();
            if (!isOpen) {
                this.#show(button, name, entries());
            }
        });
    }

    close(): void {
        const open = this.#open;
        if (open !== undefined) {
            this.#open = undefined;
            if (open.element.contains(document.activeElement)) {
                open.button.focus();
            }
            open.button.ariaExpanded = "false";
            open.element.remove();
            this.closed();
        }
    }

    #show(button: HTMLButtonElement, name: string, entries: readonly MenuEntry[]): void {
        const items = entries.map(({ label, act }) => {
            const item = make("button", { type: "button", role: "menuitem", tabIndex: -1 }, label);
            item.addEventListener("click", () => {
                this.close();
                act();
            });
            return item;
        });
        const element = make("div", { className: "menu", role: "menu", ariaLabel: name }, ...items);
        element.addEventListener("mousedown", (event) => event.preventDefault()); // Safari would take the focus away, and not click
        element.addEventListener("keydown", (event) => {
            if (event.key === "Escape") {
                event.preventDefault();
                event.stopPropagation();
                this.close();
            } else if (event.key === "Tab") {
                this.close(); // from the button, the focus moves on
            } else {
                moveFocus(items, event);
            }
        });
        element.addEventListener("focusout", ({ relatedTarget }) => {
            if (relatedTarget !== button && !element.contains(relatedTarget as Node | null)) {
                this.close();
            }
        });
        this.#open = { button, element };
        button.ariaExpanded = "true";
        button.after(element);
        items[0]?.focus();
    }
}
