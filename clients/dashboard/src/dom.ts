const svgSpace = "http://www.w3.org/2000/svg";

/** The element of the page with an id. */
export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
    const found = document.getElementById(id);
    if (found === null) {
        throw new Error(`The page has no #${id}.`);
    }
    return found as Kind;
}

/** Makes an element. Texts become text, never markup. */
export function make(name: string, className = "", ...content: (Node | string)[]): HTMLElement {
    const element = document.createElement(name);
    if (className !== "") {
        element.className = className;
    }
    element.append(...content);
    return element;
}

/** Makes an element of a drawing. */
export function draw(name: string, attributes: Record<string, string | number>, ...content: Node[]): SVGElement {
    const element = document.createElementNS(svgSpace, name);
    for (const [key, value] of Object.entries(attributes)) {
        element.setAttribute(key, String(value));
    }
    element.append(...content);
    return element;
}

export interface Column<Row> {
    title: string;
    /** The text, text and a hint below it, or buttons. */
    cell: (row: Row) => string | [text: string, hint: string] | HTMLElement;
    kind?: "number" | "name";
}

/** Makes a button. Its label says what it does to readers that do not see its row. */
export function button(text: string, label: string, onClick: () => void): HTMLElement {
    const made = make("button", "small", text);
    made.setAttribute("aria-label", label);
    made.addEventListener("click", onClick);
    return made;
}

/** Makes a table, or a sentence where there are no rows. */
export function table<Row>(columns: Column<Row>[], rows: Row[], empty: string): HTMLElement {
    if (rows.length === 0) {
        return make("p", "empty", empty);
    }
    const head = make("tr");
    for (const column of columns) {
        const cell = make("th", column.kind ?? "", column.title) as HTMLTableCellElement;
        cell.scope = "col";
        head.append(cell);
    }
    const body = make("tbody");
    for (const row of rows) {
        const line = make("tr");
        for (const column of columns) {
            const value = column.cell(row);
            if (value instanceof HTMLElement) {
                line.append(make("td", "", value));
                continue;
            }
            const [text, hint] = typeof value === "string" ? [value, undefined] : value;
            const cell = make("td", column.kind ?? "", text);
            if (column.kind === "name") {
                cell.title = text;
            }
            if (hint !== undefined) {
                cell.append(make("span", "hint", hint));
            }
            line.append(cell);
        }
        body.append(line);
    }
    return make("table", "", make("thead", "", head), body);
}
