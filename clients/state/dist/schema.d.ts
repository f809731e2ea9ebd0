import type { StateLimits } from "./limits.js";
import type { Reader } from "./reader.js";
/** What a field, an item or a key is. All have the same shape, so that reading one never depends on what was read before. */
export interface Kind {
    readonly code: number;
    /** Of a number that is stored as the integer q: the number is min + q * span / levels. */
    min: number;
    span: number;
    levels: number;
    /** Of an object: its type. */
    type: ObjectType | undefined;
    /** Of a map: what its keys are. */
    key: Kind | undefined;
    /** Of a list or a map: what its items or values are. */
    item: Kind | undefined;
}
export interface Field {
    readonly name: string;
    readonly kind: Kind;
    /** The value where there is none in a snapshot; of a list or a map it has no meaning. */
    readonly initial: boolean | number | null;
}
/** A class of the state. */
export interface ObjectType {
    readonly fields: Field[];
    /** The bits that a mask may have. */
    low: number;
    high: number;
}
/** Reads a schema. The first type is that of the root. */
export declare function readSchema(reader: Reader, limits: StateLimits): ObjectType;
