import type { StateLimits } from "./limits.js";
import { type Reader } from "./reader.js";
import { type ObjectType } from "./schema.js";
import { Watch } from "./watch.js";
export declare const relative = 0;
export declare const absolute = 1;
/**
 * The objects of a state, by their numbers.
 *
 * Each object stands in one place: an object is made only for the place that it is read into, and a list gives back only objects that it
 * had itself. So the objects are a tree, and dropping one reaches exactly what is inside.
 */
export declare class StateTree {
    #private;
    constructor(reader: Reader, limits: StateLimits);
    /** The watch of an object; `undefined` if the object is not in the state. */
    watchObject(value: object): Watch | undefined;
    watchCollection(collection: object): Watch;
    readRoot(type: ObjectType): object;
    readBlock(count: number, form: number): void;
    /** Checks what holds between messages, after one of so many bytes. Returns what handlers are to be told. */
    finish(bytes: number): (() => void)[];
}
