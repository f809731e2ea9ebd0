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
/**
 * A packet whose message is JSON, as `[JsonPackets]` and `AddJson` have it on the server. `encode` throws a TypeError that names the
 * member for what JSON cannot hold: NaN, an infinite number, a bigint.
 * @param read Checks and converts what was received, for instance `parse` of a schema library. Default: the JSON value as it is.
 */
export declare function json<TMessage>(id: number, name?: string, read?: (value: unknown) => TMessage): PacketType<TMessage>;
/**
 * @param name The packet's name, for errors.
 * @param ofInteger What is written for a bigint. Default: it is refused.
 * @param finish Changes the text.
 */
export declare function encodeJson(name: string, message: unknown, ofInteger?: (integer: bigint) => unknown, finish?: (text: string) => string): Uint8Array;
export declare function decodeText(payload: Uint8Array): string;
/** A packet whose message is its payload, such as a state that `@playchat/state` decodes. */
export declare function raw(id: number, name?: string): PacketType<Uint8Array>;
/** @throws MalformedPacketError With the packet's name. */
export declare function decode<TMessage>(type: PacketType<TMessage>, payload: Uint8Array): TMessage;
