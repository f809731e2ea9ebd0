import { type StateLimits } from "./limits.js";
import { type ItemHandlers } from "./watch.js";
/** Settings of a `StateReplica`. */
export interface StateOptions {
    /** Replaces single limits. Keep them at least as high as the state of your server grows. */
    readonly limits?: Partial<StateLimits>;
}
/**
 * A copy of the state of a room, which its messages keep in step with the server.
 *
 * The copy consists of plain objects that change in place: maps are `Map`, lists are arrays, and null is null. An object stays the same
 * JavaScript object as long as it is the same object on the server, also across snapshots. Read it as you like; never change it.
 *
 * A number is a `number`. Integers beyond `Number.MAX_SAFE_INTEGER`, which only 64-bit fields can have, are `bigint` in a field, an item
 * or a key; quantized ones are always `number`.
 */
export declare class StateReplica<TRoot extends object> {
    #private;
    constructor(options?: StateOptions);
    /** The state. `undefined` before the first snapshot, and from a `StateError` to the next snapshot. */
    get root(): TRoot | undefined;
    /** The revision of `root`; 0 without one. Revisions rise, also past numbers that this client never sees. */
    get revision(): number;
    /**
     * Applies a message: the payload of a packet. Its bytes are not used afterwards. Handlers are called when all of it is applied;
     * they cannot apply the next message themselves.
     * @returns Whether `root` is now at the message's revision. `false` for a patch that does not fit; one that fits follows.
     * @throws StateError The message is invalid or exceeds a limit.
     */
    apply(message: Uint8Array | ArrayBuffer): boolean;
    /**
     * Calls the handler with `root`: now if there is one, after the first snapshot, and whenever another object has taken its place. That
     * happens when the server has other classes than before, and after a `StateError`. Handlers of objects and collections below the
     * former root are gone then; add them here.
     * @returns A function that removes the handler.
     */
    onRoot(handler: (root: TRoot) => void): () => void;
    /**
     * Calls the handler when fields of this object have changed, once for a message, with the names of the fields and their former values.
     * Lists and maps, and what is inside other objects, do not count; a field that has another object does.
     * @param object An object of the state. The handler goes with it.
     * @returns A function that removes the handler.
     */
    onChange<TObject extends object>(object: TObject, handler: (previous: ReadonlyMap<keyof TObject & string, unknown>) => void): () => void;
    /**
     * Calls the handler when this field of this object has another value. Of lists and maps, use `onItems`.
     * @param object An object of the state. The handler goes with it.
     * @returns A function that removes the handler.
     */
    onField<TObject extends object, TField extends keyof TObject & string>(object: TObject, field: TField, handler: (value: TObject[TField], previous: TObject[TField]) => void): () => void;
    /**
     * Calls the handlers for the items of a map or a list: at once for those that are there, then for each change. A list of objects tells
     * which objects come and go; a list of values is compared place by place.
     * @param collection A map or a list of the state. The handlers go with it.
     * @returns A function that removes the handlers.
     */
    onItems<TKey, TItem>(collection: ReadonlyMap<TKey, TItem>, handlers: ItemHandlers<TKey, TItem>): () => void;
    onItems<TItem>(collection: readonly TItem[], handlers: ItemHandlers<number, TItem>): () => void;
}
