import { MalformedPacketError } from "./errors.js";

/**
 * One kind of packet: its id, and how its message becomes a payload and back. For protobuf and other encodings write the object yourself:
 * `{ id: 7, name: "Moved", encode: (moved) => toBinary(MovedSchema, moved), decode: (payload) => fromBinary(MovedSchema, payload) }`.
 */
export interface PacketType<TMessage> {
    /** As on the server: 0 to 65,534. */
    readonly id: number;
    /** For errors and the console. */
    readonly name: string;
    encode(message: TMessage): Uint8Array;
    /** @param payload A view into what was received. Throw when it is no such message. */
    decode(payload: Uint8Array): TMessage;
}

/** The message of a kind of packet. */
export type MessageOf<T> = T extends PacketType<infer TMessage> ? TMessage : never;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * A packet whose message is JSON, as `[JsonPackets]` and `AddJson` have it on the server. `encode` throws a TypeError that names the
 * member for what JSON cannot hold: NaN, an infinite number, a bigint.
 * @param read Checks and converts what was received, for instance `parse` of a schema library. Default: the JSON value as it is.
 */
export function json<TMessage>(
    id: number, name = `packet ${id}`, read: (value: unknown) => TMessage = (value) => value as TMessage,
): PacketType<TMessage> {
    return {
        id,
        name,
        encode: (message) => encodeJson(name, message),
        decode: (payload) => read(JSON.parse(decodeText(payload))),
    };
}

/**
 * @param name The packet's name, for errors.
 * @param ofInteger What is written for a bigint. Default: it is refused.
 * @param finish Changes the text.
 */
export function encodeJson(
    name: string, message: unknown, ofInteger?: (integer: bigint) => unknown, finish = (text: string): string => text,
): Uint8Array {
    return encoder.encode(finish(JSON.stringify(message, (member: string, value: unknown) => {
        if (typeof value === "bigint" && ofInteger !== undefined) {
            return ofInteger(value);
        }
        if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) {
            // JSON.stringify would write null for NaN, which the server refuses without naming the member.
            throw new TypeError(`${name}: ${member || "the message"} is ${value}, which JSON cannot hold.`);
        }
        return value;
    })));
}

export function decodeText(payload: Uint8Array): string {
    return decoder.decode(payload);
}

/** A packet whose message is its payload, such as a state that `@playchat/state` decodes. */
export function raw(id: number, name = `packet ${id}`): PacketType<Uint8Array> {
    const same = (payload: Uint8Array): Uint8Array => payload;
    return { id, name, encode: same, decode: same };
}

/** @throws MalformedPacketError With the packet's name. */
export function decode<TMessage>(type: PacketType<TMessage>, payload: Uint8Array): TMessage {
    try {
        return type.decode(payload);
    } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        throw new MalformedPacketError(`The packet ${type.name} (${type.id}) is malformed: ${problem}`, { cause: error });
    }
}
