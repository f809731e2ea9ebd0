import { defaultLimits } from "./limits.js";
import { Reader } from "./reader.js";
import { readSchema } from "./schema.js";
import { StateTree, absolute, relative } from "./tree.js";
import { call, reportItems } from "./watch.js";
const snapshotMessage = 1;
const patchMessage = 2;
/**
 * A copy of the state of a room, which its messages keep in step with the server.
 *
 * The copy consists of plain objects that change in place: maps are `Map`, lists are arrays, and null is null. An object stays the same
 * JavaScript object as long as it is the same object on the server, also across snapshots. Read it as you like; never change it.
 *
 * A number is a `number`. Integers beyond `Number.MAX_SAFE_INTEGER`, which only 64-bit fields can have, are `bigint` in a field, an item
 * or a key; quantized ones are always `number`.
 */
export class StateReplica {
    #limits;
    #reader = new Reader();
    #rootHandlers = new Set();
    #tree;
    #type;
    #schema;
    #root;
    #revision = 0;
    #isReporting = false;
    constructor(options = {}) {
        this.#limits = { ...defaultLimits, ...options.limits };
        this.#forget();
    }
    /** The state. `undefined` before the first snapshot, and from a `StateError` to the next snapshot. */
    get root() {
        return this.#root;
    }
    /** The revision of `root`; 0 without one. Revisions rise, also past numbers that this client never sees. */
    get revision() {
        return this.#revision;
    }
    /**
     * Applies a message: the payload of a packet. Its bytes are not used afterwards. Handlers are called when all of it is applied;
     * they cannot apply the next message themselves.
     * @returns Whether `root` is now at the message's revision. `false` for a patch that does not fit; one that fits follows.
     * @throws StateError The message is invalid or exceeds a limit.
     */
    apply(message) {
        if (this.#isReporting) {
            throw new Error("A handler of the state cannot apply a message.");
        }
        const before = this.#root;
        let calls;
        try {
            this.#reader.open(message instanceof Uint8Array ? message : new Uint8Array(message));
            if (!this.#read(message.byteLength)) {
                return false;
            }
            calls = this.#tree.finish(message.byteLength);
        }
        catch (error) {
            this.#forget();
            throw error;
        }
        this.#isReporting = true;
        if (this.#root !== before) {
            this.#rootHandlers.forEach((handler) => call(handler, this.#root));
        }
        calls.forEach((tell) => tell());
        this.#isReporting = false;
        return true;
    }
    /**
     * Calls the handler with `root`: now if there is one, after the first snapshot, and whenever another object has taken its place. That
     * happens when the server has other classes than before, and after a `StateError`. Handlers of objects and collections below the
     * former root are gone then; add them here.
     * @returns A function that removes the handler.
     */
    onRoot(handler) {
        if (this.#root !== undefined) {
            handler(this.#root);
        }
        return addTo(this.#rootHandlers, handler);
    }
    /**
     * Calls the handler when fields of this object have changed, once for a message, with the names of the fields and their former values.
     * Lists and maps, and what is inside other objects, do not count; a field that has another object does.
     * @param object An object of the state. The handler goes with it.
     * @returns A function that removes the handler.
     */
    onChange(object, handler) {
        return this.#watch(object, (before) => {
            const fields = before;
            const previous = [...fields].filter(([field, value]) => !Object.is(value, object[field]));
            if (previous.length > 0) {
                call(handler, new Map(previous));
            }
        });
    }
    /**
     * Calls the handler when this field of this object has another value. Of lists and maps, use `onItems`.
     * @param object An object of the state. The handler goes with it.
     * @returns A function that removes the handler.
     */
    onField(object, field, handler) {
        return this.#watch(object, (before) => {
            const previous = before.get(field);
            if (before.has(field) && !Object.is(previous, object[field])) {
                call(handler, object[field], previous);
            }
        });
    }
    onItems(collection, handlers) {
        const all = handlers;
        for (const [key, item] of collection.entries()) {
            call(all.added, item, key);
        }
        return addTo(this.#tree.watchCollection(collection).reports, (before) => reportItems(collection, before, all));
    }
    #watch(object, report) {
        const watch = this.#tree.watchObject(object);
        if (watch === undefined) {
            throw new Error("This is not an object of the state, or not any more.");
        }
        return addTo(watch.reports, report);
    }
    #read(bytes) {
        const reader = this.#reader;
        reader.check(bytes <= this.#limits.maxMessageBytes, "too long");
        const message = reader.byte();
        const revision = reader.count(0xffff_ffff, "invalid revision");
        reader.check(revision > 0 && (message === snapshotMessage || message === patchMessage), "unknown message");
        if (message === snapshotMessage) {
            this.#readSnapshot();
        }
        else if (!this.#readPatch(revision)) {
            return false;
        }
        reader.finish();
        this.#revision = revision;
        return true;
    }
    #readSnapshot() {
        const reader = this.#reader;
        const start = reader.position;
        const type = readSchema(reader, this.#limits);
        const schema = String(reader.copySince(start));
        if (schema !== this.#schema) {
            this.#forget();
            this.#schema = schema;
            this.#type = type;
        }
        this.#root = this.#tree.readRoot(this.#type);
    }
    #readPatch(revision) {
        const reader = this.#reader;
        const { maxObjects } = this.#limits;
        if (this.#root === undefined || revision <= this.#revision) {
            return false;
        }
        const distance = reader.count(revision, "no base");
        reader.check(distance > 0, "no base");
        const base = revision - distance;
        const count = reader.count(maxObjects, "too many entries");
        if (base > this.#revision || (base < this.#revision && count > 0)) {
            return false;
        }
        this.#tree.readBlock(count, relative);
        this.#tree.readBlock(reader.count(maxObjects, "too many entries"), absolute);
        return true;
    }
    #forget() {
        this.#tree = new StateTree(this.#reader, this.#limits);
        this.#schema = undefined;
        this.#root = undefined;
        this.#revision = 0;
    }
}
function addTo(handlers, handler) {
    handlers.add(handler);
    return () => {
        handlers.delete(handler);
    };
}
