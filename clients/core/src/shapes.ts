// For code that `playchat typescript` writes: packets as JSON whose integers keep all digits.
import { type PacketType, decodeText, encodeJson } from "./packetType.js";

/** What a 64-bit integer is in TypeScript. As `number` it must be from -(2^53 - 1) to 2^53 - 1. */
export type Longs = "bigint" | "string" | "number";

interface Direction {
    readonly isReading: boolean;
    readonly longs: Longs;
}

/** Converts a part of a message from JSON, or back to it. What is null or missing stays so. */
export type Shape = (value: any, direction: Direction) => any;

const unlessNull = (convert: Shape): Shape =>
    (value, direction) => value === null || value === undefined ? value : convert(value, direction);

/** A 64-bit integer. */
export const long: Shape = unlessNull((value: bigint | number | string, { isReading, longs }) => {
    if (longs === "number") {
        if (!Number.isSafeInteger(value)) {
            throw new RangeError(`${value} is no integer that a number holds exactly. Generate the client with --long bigint.`);
        }
        return value;
    }
    return isReading && longs === "string" ? String(value) : BigInt(value);
});

/** A decimal: it may have as many digits as a 64-bit integer, but is a number. */
export const decimal: Shape = unlessNull(Number);

export const list = (item: Shape): Shape => unlessNull((values: unknown[], direction) => values.map((value) => item(value, direction)));

export const map = (item: Shape): Shape => unlessNull((values: object, direction) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, item(value, direction)])));

/** @param members Those that are converted; a function, because an object may contain objects of its own kind. */
export const object = (members: () => Record<string, Shape>): Shape => unlessNull((value: object, direction) => {
    const converted: Record<string, unknown> = { ...value };
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
export const union = (discriminator: string, kinds: () => Record<string, Shape> = () => ({})): Shape =>
    unlessNull((value: Record<string, unknown>, direction) => {
        const kind = value[discriminator];
        const members = kinds()[String(kind)]?.(value, direction) ?? value;
        return kind === undefined ? members : { [discriminator]: kind, ...members };
    });

/** A packet as JSON, as `json` has it, with parts that are converted. */
export function shaped<TMessage>(id: number, name: string, shape: Shape, longs: Longs): PacketType<TMessage> {
    return {
        id,
        name,
        encode: (message) => encodeJson(
            name,
            shape(message, { isReading: false, longs }),
            (integer) => mark + integer,
            (text) => text.replace(markedIntegers, "$1")),
        decode: (payload) => shape(parse(decodeText(payload)), { isReading: true, longs }) as TMessage,
    };
}

// What JSON.parse would round goes through it as a string that begins with the mark, and a bigint goes so through JSON.stringify. The mark
// is never sent, so no peer can write a text that begins with it.
const mark = `#${Math.random().toString(36).slice(2)}#`;
const markedIntegers = new RegExp(`"${mark}(-?\\d+)"`, "g");
const stringsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function parse(text: string): unknown {
    let isMarked = false;
    const marked = text.replace(stringsAndNumbers, (token) => {
        if (!/^-?\d{16,}$/.test(token) || Number.isSafeInteger(Number(token))) {
            return token;
        }
        isMarked = true;
        return `"${mark}${token}"`;
    });
    return JSON.parse(marked, isMarked
        ? (_, value: unknown) => typeof value === "string" && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value
        : undefined);
}
