import { MalformedPacketError } from "./errors.js";
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
/**
 * A packet whose message is JSON, as `[JsonPackets]` and `AddJson` have it on the server. `encode` throws a TypeError that names the
 * member for what JSON cannot hold: NaN, an infinite number, a bigint.
 * @param read Checks and converts what was received, for instance `parse` of a schema library. Default: the JSON value as it is.
 */
export function json(id, name = `packet ${id}`, read = (value) => value) {
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
export function encodeJson(name, message, ofInteger, finish = (text) => text) {
    return encoder.encode(finish(JSON.stringify(message, (member, value) => {
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
export function decodeText(payload) {
    return decoder.decode(payload);
}
/** A packet whose message is its payload, such as a state that `@playchat/state` decodes. */
export function raw(id, name = `packet ${id}`) {
    const same = (payload) => payload;
    return { id, name, encode: same, decode: same };
}
/** @throws MalformedPacketError With the packet's name. */
export function decode(type, payload) {
    try {
        return type.decode(payload);
    }
    catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        throw new MalformedPacketError(`The packet ${type.name} (${type.id}) is malformed: ${problem}`, { cause: error });
    }
}
