import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CloseReasons, adviceOf, closeReasonName } from "../src/index.js";
import { backoffMs, decodePackets, encodePacket, reasonOfCloseCode } from "../src/parts.js";

test("A message may hold several packets", () => {
    const [first, second] = [encodePacket(1, 2, new Uint8Array([3])), encodePacket(4, 0, new Uint8Array())];
    const packets = decodePackets(new Uint8Array([...first, ...second]).buffer);
    assert.deepEqual(packets?.map(({ id, requestId, payload }) => [id, requestId, [...payload]]), [[1, 2, [3]], [4, 0, []]]);
});

test("A message that ends within a packet is refused, wherever it ends", () => {
    const whole = new Uint8Array([...encodePacket(1, 2, new Uint8Array(5)), ...encodePacket(1, 2, new Uint8Array(5))]);
    for (let length = 0; length < whole.length; length++) {
        const isWhole = length === whole.length / 2;
        assert.equal(decodePackets(whole.slice(0, length).buffer) !== undefined, isWhole, `${length} bytes`);
    }
});

test("A length that no packet can have is refused", () => {
    for (const length of [0, 3, 1024 * 1024 + 1, 0xffffffff]) {
        const bytes = new Uint8Array(16);
        new DataView(bytes.buffer).setUint32(0, length);
        assert.equal(decodePackets(bytes.buffer), undefined, `${length}`);
    }
});

test("The close codes are those of proto/close-codes.json", () => {
    const table = JSON.parse(readFileSync(new URL("../../../../proto/close-codes.json", import.meta.url), "utf8")) as
        { code: number; reason: number; name: string; advice: string }[];
    assert.ok(table.length >= 19);
    for (const { code, reason, name, advice } of table) {
        assert.equal(reasonOfCloseCode(code), reason);
        assert.equal(closeReasonName(reason), name);
        assert.equal(adviceOf(reason), advice);
        assert.equal(CloseReasons[name as keyof typeof CloseReasons], reason);
    }
    assert.equal(reasonOfCloseCode(1006), CloseReasons.PeerReset);
    assert.equal(reasonOfCloseCode(1002), CloseReasons.ProtocolViolation);
    assert.equal(adviceOf(99), "do-not-reconnect");
});

test("Waits grow to the longest, and a random part of at most half is left out", () => {
    const full = [1, 2, 3, 4, 5, 6, 20].map((attempt) => backoffMs(attempt, 250, 5000, () => 0.999999999));
    assert.deepEqual(full.map(Math.round), [250, 500, 1000, 2000, 4000, 5000, 5000]);
    assert.equal(backoffMs(1, 250, 5000, () => 0), 125);
});
