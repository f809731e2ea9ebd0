// The description of the server's classes: proto/STATE.md, "Schema".
import * as Kinds from "./kinds.js";
const maxFields = 63;
const maxNameBytes = 256;
/** Reads a schema. The first type is that of the root. */
export function readSchema(reader, limits) {
    // All types are there from the start, because fields name types that are read later.
    const count = reader.count(limits.maxTypes, "too many types");
    const types = Array.from({ length: count }, () => ({ fields: [], low: 0, high: 0 }));
    const readName = () => {
        const name = reader.text(maxNameBytes);
        reader.check(name !== null, "null as a name");
        return name;
    };
    const readParameter = (min, max) => {
        const value = reader.byte();
        reader.check(value >= min && value <= max, "invalid kind");
        return value;
    };
    const readKind = (lastCode) => {
        const code = readParameter(Kinds.boolean, lastCode);
        const kind = { code, min: 0, span: 1, levels: 1, type: undefined, key: undefined, item: undefined };
        if (code === Kinds.fixed) {
            kind.levels = 10 ** readParameter(0, 9);
        }
        else if (code === Kinds.range) {
            kind.min = reader.f64();
            kind.span = reader.f64() - kind.min;
            kind.levels = 2 ** readParameter(1, 32) - 1;
        }
        else if (code === Kinds.object) {
            kind.type = types[reader.count(count - 1, "unknown type")];
        }
        else if (code >= Kinds.list) {
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
        let previous = -1;
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
