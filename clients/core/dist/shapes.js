// For code that `playchat typescript` writes: packets as JSON whose integers keep all digits.
import { decodeText, encodeJson } from "./packetType.js";
const unlessNull = (convert) => (value, direction) => value === null || value === undefined ? value : convert(value, direction);
/** A 64-bit integer. */
export const long = unlessNull((value, { isReading, longs }) => {
    if (longs === "number") {
        if (!Number.isSafeInteger(value)) {
            throw new RangeError(`${value} is no integer that a number holds exactly. Generate the client with --long bigint.`);
        }
        return value;
    }
    return isReading && longs === "string" ? String(value) : BigInt(value);
});
/** A decimal: it may have as many digits as a 64-bit integer, but is a number. */
export const decimal = unlessNull(Number);
export const list = (item) => unlessNull((values, direction) => values.map((value) => item(value, direction)));
export const map = (item) => unlessNull((values, direction) => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, item(value, direction)])));
/** @param members Those that are converted; a function, because an object may contain objects of its own kind. */
export const object = (members) => unlessNull((value, direction) => {
    const converted = { ...value };
    for (const [name, member] of Object.entries(members())) {
        if (Object.hasOwn(converted, name)) {
            converted[name] = member(converted[name], direction);
        }
    }
    return converted;
});
/**
 * An object of several kinds. The server reads the member that says which one it is only if it is the first.
 * @param kinds Those that have members to convert.
 */
export const union = (discriminator, kinds = () => ({})) => unlessNull((value, direction) => {
    const kind = value[discriminator];
    const members = kinds()[String(kind)]?.(value, direction) ?? value;
    return kind === undefined ? members : { [discriminator]: kind, ...members };
});
/** A packet as JSON, as `json` has it, with parts that are converted. */
export function shaped(id, name, shape, longs) {
    return {
        id,
        name,
        encode: (message) => encodeJson(name, shape(message, { isReading: false, longs }), (integer) => mark + integer, (text) => text.replace(markedIntegers, "$1")),
        decode: (payload) => shape(parse(decodeText(payload)), { isReading: true, longs }),
    };
}
// What JSON.parse would round goes through it as a string that begins with the mark, and a bigint goes so through JSON.stringify. The mark
// is never sent, so no peer can write a text that begins with it.
const mark = `#${Math.random().toString(36).slice(2)}#`;
const markedIntegers = new RegExp(`"${mark}(-?\\d+)"`, "g");
const stringsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
function parse(text) {
    let isMarked = false;
    const marked = text.replace(stringsAndNumbers, (token) => {
        if (!/^-?\d{16,}$/.test(token) || Number.isSafeInteger(Number(token))) {
            return token;
        }
        isMarked = true;
        return `"${mark}${token}"`;
    });
    return JSON.parse(marked, isMarked
        ? (_, value) => typeof value === "string" && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value
        : undefined);
}
