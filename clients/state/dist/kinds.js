// The bytes of the kinds: proto/STATE.md, "Schema". Constants of their own, because bundlers put those in place.
export const boolean = 1;
export const byte = 2;
export const unsigned = 3;
export const signed = 4;
export const f32 = 5;
export const f64 = 6;
export const text = 7;
export const fixed = 8;
export const range = 9;
export const object = 10;
export const list = 11;
export const map = 12;
