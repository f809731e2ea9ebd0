// The description of the server's classes: proto/STATE.md, "Schema".
import * as Kinds from "./kinds.js";
import type { StateLimits } from "./limits.js";
import type { Reader } from "./reader.js";

const maxFields = 63;
const maxNameBytes = 256;

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
export function readSchema(reader: Reader, limits: StateLimits): ObjectType {
    // All types are there from the start, because fields name types that are read later.
    const count = reader.count(limits.maxTypes, "too many types");
    const types = Array.from({ length: count }, (): ObjectType => ({ fields: [], low: 0, high: 0 }));

    const readName = (): string => {
        const name = reader.text(maxNameBytes);
        reader.check(name !== null, "null as a name");
        return name;
    };

    const readParameter = (min: number, max: number): number => {
        const value = reader.byte();
        reader.check(value >= min && value <= max, "invalid kind");
        return value;
    };

    const readKind = (lastCode: number): Kind => {
        const code = readParameter(Kinds.boolean, lastCode);
        const kind: Kind = { code, min: 0, span: 1, levels: 1, type: undefined, key: undefined, item: undefined };
        if (code === Kinds.fixed) {
            kind.levels = 10 ** readParameter(0, 9);
        } else if (code === Kinds.range) {
            kind.min = reader.f64();
            kind.span = reader.f64() - kind.min;
            kind.levels = 2 ** readParameter(1, 32) - 1;
        } else if (code === Kinds.object) {
            kind.type = types[reader.count(count - 1, "unknown type")];
        } else if (code >= Kinds.list) {
            if (code === Kinds.map) {
                kind.key = readKind(Kinds.text);
                reader.check([Kinds.byte, Kinds.unsigned, Kinds.signed, Kinds.text].includes(kind.key.code), "invalid kind");
            }
            kind.item = readKind(Kinds.object);
        }
        return kind;
    };

    for (const type of types) {
        readName();
        const names = new Set(["__proto__"]); // it would not become a field, but the object's prototype
        let previous: number | bigint = -1;
        for (let left = reader.count(maxFields, "too many fields"); left > 0; left--) {
            const number = reader.unsigned();
            const name = readName();
            reader.check(number > previous && !names.has(name), "invalid field");
            previous = number;
            names.add(name);
            const kind = readKind(Kinds.map);
            const { code } = kind;
            const isNull = code === Kinds.text || code === Kinds.object;
            type.fields.push({ name, kind, initial: code === Kinds.boolean ? false : isNull ? null : kind.min });
        }
        const bits = (1n << BigInt(type.fields.length)) - 1n;
        type.low = Number(BigInt.asIntN(32, bits));
        type.high = Number(bits >> 32n);
    }
    const [root] = types;
    reader.check(root !== undefined, "no types");
    return root;
}
