/** Reads a message from its first byte to its last. Every method throws a `StateError` where the message breaks a rule. */
export declare class Reader {
    #private;
    position: number;
    /** Bits 32 to 63 of the mask that was read last. */
    maskHigh: number;
    open(message: Uint8Array): void;
    /** Refuses the message unless the condition holds. */
    check(condition: boolean, problem: string): asserts condition;
    /** Copies what was read since a position. */
    copySince(position: number): Uint8Array;
    byte(): number;
    /** A varint: a bigint when it is above 2^53 - 1. */
    unsigned(): number | bigint;
    /** A zigzag: a bigint when it is no safe integer. */
    signed(): number | bigint;
    /** A varint that is at most `max`, which is a safe integer. */
    count(max: number, problem: string): number;
    /** A mask. Returns bits 0 to 31, as a signed number. */
    mask(): number;
    f32(): number;
    f64(): number;
    text(maxBytes: number): string | null;
    /** Checks that the message has been read to its end. */
    finish(): void;
}
/** The sum of two signed 64-bit integers, in 64 bits. */
export declare function add(a: number | bigint, b: number | bigint): number | bigint;
