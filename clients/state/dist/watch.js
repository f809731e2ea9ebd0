// Handlers, and what the message under way has changed for them.
/** An object, a map or a list that handlers watch. */
export class Watch {
    reports = new Set();
    /** Those that the message has changed. */
    #touched;
    #before;
    constructor(touched) {
        this.#touched = touched;
    }
    /** A field or an entry is about to change. */
    touch(key, value) {
        if (this.#before === undefined) {
            this.#before = new Map();
            this.#touched.push(this);
        }
        if (!this.#before.has(key)) {
            this.#before.set(key, value);
        }
    }
    /** The calls of those handlers that there are now. */
    takeCalls() {
        const before = this.#before;
        this.#before = undefined;
        return [...this.reports].map((report) => () => {
            if (this.reports.has(report)) {
                report(before);
            }
        });
    }
}
/** Calls a handler. It is the application's code: its exception must not end the connection that delivered the message. */
export function call(handler, ...values) {
    try {
        handler?.(...values);
    }
    catch (error) {
        console.error("A handler of the state threw.", error);
    }
}
/** Tells handlers what has become of the items of a collection. */
export function reportItems(collection, before, { added, changed, removed }) {
    const isMap = collection instanceof Map;
    const after = isMap ? collection : new Map(collection.entries());
    // An object that has only moved within a list is neither removed nor added.
    const objectsOf = (items) => new Set(isMap ? [] : [...items.values()].filter(isObject));
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
function isObject(item) {
    return typeof item === "object" && item !== null;
}
