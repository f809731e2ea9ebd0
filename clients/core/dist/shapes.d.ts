import { type PacketType } from "./packetType.js";
/** What a 64-bit integer is in TypeScript. As `number` it must be from -(2^53 - 1) to 2^53 - 1. */
export type Longs = "bigint" | "string" | "number";
interface Direction {
    readonly isReading: boolean;
    readonly longs: Longs;
}
/** Converts a part of a message from JSON, or back to it. What is null or missing stays so. */
export type Shape = (value: any, direction: Direction) => any;
/** A 64-bit integer. */
export declare const long: Shape;
/** A decimal: it may have as many digits as a 64-bit integer, but is a number. */
export declare const decimal: Shape;
export declare const list: (item: Shape) => Shape;
export declare const map: (item: Shape) => Shape;
/** @param members Those that are converted; a function, because an object may contain objects of its own kind. */
export declare const object: (members: () => Record<string, Shape>) => Shape;
/**
 * An object of several kinds. The server reads the member that says which one it is only if it is the first.
 * @param kinds Those that have members to convert.
 */
export declare const union: (discriminator: string, kinds?: () => Record<string, Shape>) => Shape;
/** A packet as JSON, as `json` has it, with parts that are converted. */
export declare function shaped<TMessage>(id: number, name: string, shape: Shape, longs: Longs): PacketType<TMessage>;
export {};
