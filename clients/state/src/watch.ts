// Handlers, and what the message under way has changed for them.

/** Handlers of a collection: a map with its keys, or a list with its places. */
export interface ItemHandlers<TKey, TItem> {
    /** There is a new item. Also called for each item that is there already when the handlers are added. */
    readonly added?: (item: TItem, key: TKey) => void;

    /** The value of this key or place was replaced by another one. Objects are not replaced: one is removed, another one added. */
    readonly changed?: (item: TItem, key: TKey, previous: TItem) => void;

    /** An item is gone. */
    readonly removed?: (item: TItem, key: TKey) => void;
}

/** What fields, keys or places had before the message; `undefined` for none. */
export type Before = ReadonlyMap<unknown, unknown>;

export type Report = (before: Before) => void;

/** An object, a map or a list that handlers watch. */
export class Watch {
    readonly reports = new Set<Report>();
    /** Those that the message has changed. */
    readonly #touched: Watch[];
    #before: Map<unknown, unknown> | undefined;

    constructor(touched: Watch[]) {
        this.#touched = touched;
    }

    /** A field or an entry is about to change. */
    touch(key: unknown, value: unknown): void {
        if (this.#before === undefined) {
            this.#before = new Map();
            this.#touched.push(this);
        }
        if (!this.#before.has(key)) {
            this.#before.set(key, value);
        }
    }

    /** The calls of those handlers that there are now. */
    takeCalls(): (() => void)[] {
        const before = this.#before!;
        this.#before = undefined;
        return [...this.reports].map((report) => () => {
            if (this.reports.has(report)) {
                report(before);
            }
        });
    }
}

/** Calls a handler. It is the application's code: its exception must not end the connection that delivered the message. */
export function call<TArguments extends unknown[]>(handler: ((...values: TArguments) => void) | undefined, ...values: TArguments): void {
    try {
        handler?.(...values);
    } catch (error) {
        console.error("A handler of the state threw.", error);
    }
}

export type Collection = ReadonlyMap<unknown, unknown> | readonly unknown[];

/** Tells handlers what has become of the items of a collection. */
export function reportItems(collection: Collection, before: Before, { added, changed, removed }: ItemHandlers<unknown, unknown>): void {
    const isMap = collection instanceof Map;
    const after: Before = isMap ? collection : new Map(collection.entries());
    // An object that has only moved within a list is neither removed nor added.
    const objectsOf = (items: Before): Set<unknown> => new Set(isMap ? [] : [...items.values()].filter(isObject));
    const [was, is] = [objectsOf(before), objectsOf(after)];
    for (const key of isMap ? before.keys() : new Set([...before.keys(), ...after.keys()])) {
        const [former, item] = [before.get(key), after.get(key)];
        if (Object.is(former, item)) {
            continue;
        }
        if (former !== undefined && item !== undefined && !isObject(item)) {
            call(changed, item, key, former);
            continue;
        }
        if (former !== undefined && !is.has(former)) {
            call(removed, former, key);
        }
        if (item !== undefined && !was.has(item)) {
            call(added, item, key);
        }
    }
}

function isObject(item: unknown): boolean {
    return typeof item === "object" && item !== null;
}
