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
export declare class Watch {
    #private;
    readonly reports: Set<Report>;
    constructor(touched: Watch[]);
    /** A field or an entry is about to change. */
    touch(key: unknown, value: unknown): void;
    /** The calls of those handlers that there are now. */
    takeCalls(): (() => void)[];
}
/** Calls a handler. It is the application's code: its exception must not end the connection that delivered the message. */
export declare function call<TArguments extends unknown[]>(handler: ((...values: TArguments) => void) | undefined, ...values: TArguments): void;
export type Collection = ReadonlyMap<unknown, unknown> | readonly unknown[];
/** Tells handlers what has become of the items of a collection. */
export declare function reportItems(collection: Collection, before: Before, { added, changed, removed }: ItemHandlers<unknown, unknown>): void;
