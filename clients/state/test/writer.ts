// Writes messages as proto/STATE.md describes them, without looking at what they say: tests write invalid ones as well.

type Bytes = readonly number[];

export const varint = (n: number | bigint): number[] => {
    const bytes: number[] = [];
    let rest = BigInt(n);
    for (; rest > 0x7fn; rest >>= 7n) {
        bytes.push(Number(rest & 0x7fn) | 0x80);
    }
    return [...bytes, Number(rest)];
};

export const zigzag = (n: number | bigint): number[] => varint(BigInt.asUintN(64, (BigInt(n) << 1n) ^ (BigInt(n) >> 63n)));

export const f32 = (n: number): number[] => [...new Uint8Array(Float32Array.of(n).buffer)];

export const f64 = (n: number): number[] => [...new Uint8Array(Float64Array.of(n).buffer)];

export const text = (value: string | null): number[] => {
    if (value === null) {
        return [0];
    }
    const bytes = new TextEncoder().encode(value);
    return [...varint(bytes.length + 1), ...bytes];
};

const listOf = (items: readonly Bytes[]): number[] => [...varint(items.length), ...items.flat()];

export const kinds = {
    boolean: [1], byte: [2], unsigned: [3], signed: [4], f32: [5], f64: [6], text: [7],
    fixed: (decimals: number) => [8, decimals],
    range: (min: number, max: number, bits: number) => [9, ...f64(min), ...f64(max), bits],
    object: (type: number) => [10, ...varint(type)],
    list: (item: Bytes) => [11, ...item],
    map: (key: Bytes, item: Bytes) => [12, ...key, ...item],
};

export const field = (number: number, name: string | null, kind: Bytes): number[] => [...varint(number), ...text(name), ...kind];

export const type = (name: string | null, ...fields: Bytes[]): number[] => [...text(name), ...listOf(fields)];

export const schema = (...types: Bytes[]): number[] => listOf(types);

/** A mask with the values behind it: those of an entry or of an object in full. `undefined` leaves a slot out. */
export const values = (...slots: (Bytes | undefined)[]): number[] => {
    const mask = slots.reduce((sum, value, i) => (value === undefined ? sum : sum | (1n << BigInt(i))), 0n);
    return [...varint(mask), ...slots.flatMap((value) => value ?? [])];
};

/** An object in full, with its number. */
export const object = (number: number, ...slots: (Bytes | undefined)[]): number[] => [...varint(number), ...values(...slots)];

/** A list or a map in full. */
export const items = (...all: Bytes[]): number[] => listOf(all);

/** A change of a list: `removed` undefined replaces it whole. */
export const splice = (start: number, removed: number | undefined, ...inserted: Bytes[]): number[] => [
    ...varint(start * 2 + (removed === undefined ? 1 : 0)), ...(removed === undefined ? [] : varint(removed)), ...listOf(inserted),
];

/** An item of a change of a list: a new object. */
export const added = (number: number, ...slots: (Bytes | undefined)[]): number[] => [...varint(number * 2 + 1), ...values(...slots)];

/** An item of a change of a list: an object that the list has. */
export const kept = (number: number): number[] => varint(number * 2);

/** A change of a map. */
export const changes = (removed: readonly Bytes[], ...set: Bytes[]): number[] => [...listOf(removed), ...listOf(set)];

export type Entries = readonly (readonly [number: number, ...slots: (Bytes | undefined)[]])[];

const block = (entries: Entries): number[] => {
    let previous = -1;
    return listOf(entries.map(([number, ...slots]) => {
        const gap = number - previous - 1;
        previous = number;
        return [...varint(gap), ...values(...slots)];
    }));
};

export const snapshot = (revision: number | bigint, description: Bytes, ...root: (Bytes | undefined)[]): Uint8Array =>
    Uint8Array.from([1, ...varint(revision), ...description, ...values(...root)]);

export const patch = (revision: number, distance: number, relative: Entries, absolute: Entries = []): Uint8Array =>
    Uint8Array.from([2, ...varint(revision), ...varint(distance), ...block(relative), ...block(absolute)]);
