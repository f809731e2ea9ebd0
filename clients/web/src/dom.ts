/** The element with this id; it is part of index.html. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
    const element = document.getElementById(id);
    if (element === null) {
        throw new Error(`index.html has no element ${id}.`);
    }
    return element as T;
}

type Properties<T extends HTMLElement> = Partial<Pick<T, Exclude<keyof T, "children" | "style" | "innerHTML" | "outerHTML">>>;

/** Makes an element. Strings become text and never markup. */
export function make<TName extends keyof HTMLElementTagNameMap>(
    name: TName, properties: Properties<HTMLElementTagNameMap[TName]> = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[TName] {
    const element = document.createElement(name);
    Object.assign(element, properties);
    element.append(...children);
    return element;
}

/** Moves the focus among elements by the arrow keys, Home and End. */
export function moveFocus(items: readonly HTMLElement[], event: KeyboardEvent): void {
    const index = items.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: index + 1, ArrowUp: Math.max(index, 0) - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined && !event.altKey) {
        event.preventDefault();
        event.stopPropagation();
        items.at(next === items.length ? 0 : next)?.focus();
    }
}

/** Whether a key press is part of composing a character, as with Korean, Japanese or Chinese input. */
export function isComposing(event: KeyboardEvent): boolean {
    return event.isComposing || event.keyCode === 229; // Safari ends the composition before the key event; 229 tells it then
}
