// The basic forms: proto/STATE.md, "Basic forms".
import { StateError } from "./errors.js";
// Up to here a loop over the characters of a text is faster than TextDecoder.
const shortTextBytes = 32;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Reads a message from its first byte to its last. Every method throws a `StateError` where the message breaks a rule. */
export class Reader {
    #bytes;
    #view;
    position = 0;
    /** Bits 32 to 63 of the mask that was read last. */
    maskHigh = 0;
    open(message) {
        this.#bytes = message;
        this.#view = new DataView(message.buffer, message.byteOffset, message.byteLength);
        this.position = 0;
    }
    /** Refuses the message unless the condition holds. */
    check(condition, problem) {
        if (!condition) {
            throw new StateError(`Invalid state message, byte ${this.position}: ${problem}.`);
        }
    }
    /** Copies what was read since a position. */
    copySince(position) {
        return this.#bytes.slice(position, this.position);
    }
    byte() {
        return this.#bytes[this.#advance(1)];
    }
    /** A varint: a bigint when it is above 2^53 - 1. */
    unsigned() {
        const first = this.byte();
        return first < 0x80 ? first : this.#longUnsigned(first);
    }
    /** A zigzag: a bigint when it is no safe integer. */
    signed() {
        const n = this.unsigned();
        return typeof n === "bigint" ? narrow((n >> 1n) ^ -(n & 1n)) : n % 2 === 0 ? n / 2 : -(n + 1) / 2;
    }
    /** A varint that is at most `max`, which is a safe integer. */
    count(max, problem) {
        const n = this.unsigned();
        this.check(n <= max, problem);
        return n;
    }
    /** A mask. Returns bits 0 to 31, as a signed number. */
    mask() {
        const n = this.unsigned();
        if (n <= 0x7fff_ffff) {
            this.maskHigh = 0;
            return n;
        }
        const bits = BigInt(n);
        this.maskHigh = Number(bits >> 32n);
        return Number(BigInt.asIntN(32, bits));
    }
    f32() {
        return this.#view.getFloat32(this.#advance(4), true);
    }
    f64() {
        return this.#view.getFloat64(this.#advance(8), true);
    }
    text(maxBytes) {
        const length = this.count(maxBytes + 1, "text too long") - 1;
        if (length < 0) {
            return null;
        }
        const start = this.#advance(length);
        const end = this.position;
        if (length <= shortTextBytes) {
            let text = "";
            let i = start;
            for (; i < end && this.#bytes[i] < 0x80; i++) {
                text += String.fromCharCode(this.#bytes[i]);
            }
            if (i === end) {
                return text;
            }
        }
        try {
            return utf8.decode(this.#bytes.subarray(start, end));
        }
        catch {
            this.check(false, "not UTF-8"); // decode throws nothing else
        }
    }
    /** Checks that the message has been read to its end. */
    finish() {
        this.check(this.position === this.#bytes.length, "bytes left over");
    }
    #advance(bytes) {
        const { position } = this;
        this.check(position + bytes <= this.#bytes.length, "ends early");
        this.position = position + bytes;
        return position;
    }
    #longUnsigned(first) {
        const start = this.position;
        let low = first & 0x7f;
        for (let scale = 128; scale < 2 ** 49; scale *= 128) {
            const byte = this.byte();
            low += (byte & 0x7f) * scale;
            if (byte < 0x80) {
                return low;
            }
        }
        // 49 bits so far, in 7 bytes; the rest has at most 15.
        const high = this.unsigned();
        this.check(high < 2 ** 15 && this.position - start < 10, "over 64 bits");
        return narrow((BigInt(high) << 49n) | BigInt(low));
    }
}
/** The sum of two signed 64-bit integers, in 64 bits. */
export function add(a, b) {
    const sum = Number(a) + Number(b);
    return Number.isSafeInteger(sum) && typeof a === typeof b ? sum : narrow(BigInt.asIntN(64, BigInt(a) + BigInt(b)));
}
function narrow(n) {
    return Number.isSafeInteger(Number(n)) ? Number(n) : n;
}
