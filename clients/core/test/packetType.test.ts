import assert from "node:assert/strict";
import { test } from "node:test";
import { MalformedPacketError, json, raw } from "../src/index.js";
import { decode } from "../src/packetType.js";

const text = (payload: Uint8Array): string => new TextDecoder().decode(payload);
const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);

test("A JSON packet is written and read as it is", () => {
    const say = json<{ text: string }>(2, "Say");
    assert.equal(text(say.encode({ text: "안녕 👋" })), '{"text":"안녕 👋"}');
    assert.deepEqual(decode(say, bytes('{"text":"안녕 👋"}')), { text: "안녕 👋" });
});

for (const value of [NaN, Infinity, -Infinity, 1n]) {
    test(`A message with ${value} is refused by the name of its packet and member`, () => {
        const steer = json<object>(4, "Steer");
        assert.throws(() => steer.encode({ at: { dx: value } }), { name: "TypeError", message: `Steer: dx is ${value}, which JSON cannot hold.` });
    });
}

test("A packet without a name is named by its id", () => {
    assert.throws(() => json(4).encode(NaN), { message: "packet 4: the message is NaN, which JSON cannot hold." });
});

for (const payload of ["", "{", '{"a":1} x', "\xff"]) {
    test(`A payload ${JSON.stringify(payload)} is malformed, and the error names the packet`, () => {
        const invalid = payload === "\xff" ? new Uint8Array([0x22, 0xff, 0x22]) : bytes(payload);
        assert.throws(() => decode(json(3, "Said"), invalid), (error) =>
            error instanceof MalformedPacketError && error.message.startsWith("The packet Said (3) is malformed: "));
    });
}

test("A check of the application names the member", () => {
    const said = json(3, "Said", (value) => {
        if (typeof (value as { text?: unknown }).text !== "string") {
            throw new TypeError("text is no string");
        }
        return value as { text: string };
    });
    assert.deepEqual(decode(said, bytes('{"text":"a"}')), { text: "a" });
    assert.throws(() => decode(said, bytes("{}")), { message: "The packet Said (3) is malformed: text is no string" });
});

test("A raw packet is its payload", () => {
    const payload = new Uint8Array([0, 255]);
    assert.equal(raw(5).encode(payload), payload);
    assert.equal(decode(raw(5), payload), payload);
});
