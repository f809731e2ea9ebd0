import assert from "node:assert/strict";
import { test } from "node:test";
import { type Longs, type Shape, decimal, list, long, map, object, shaped, union } from "../src/shapes.js";

const text = (payload: Uint8Array): string => new TextDecoder().decode(payload);
const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
const packet = (shape: Shape, longs: Longs = "bigint") => shaped<any>(1, "Move", shape, longs);
const score = object(() => ({ id: long, all: list(long), by: map(long), price: decimal, next: score }));
const json = '{"id":9007199254740993,"text":"9007199254740993 \\"12345678901234567890\\"","all":[-9223372036854775808,1,null],'
    + '"by":{"__proto__":18446744073709551615},"price":12345678901234567890,"next":{"id":2},"exact":1.12345678901234567}';

test("64-bit integers keep all digits, also beside texts and decimals that look like them", () => {
    const message = packet(score).decode(bytes(json));
    assert.equal(message.id, 9007199254740993n);
    assert.equal(message.text, '9007199254740993 "12345678901234567890"');
    assert.deepEqual(message.all, [-9223372036854775808n, 1n, null]);
    assert.deepEqual(Object.entries(message.by), [["__proto__", 18446744073709551615n]]);
    assert.equal(message.price, 12345678901234567890);
    assert.deepEqual(message.next, { id: 2n });
    const again = text(packet(score).encode(message));
    assert.equal(again, json.replace("12345678901234567890,", "12345678901234567000,").replace("1.12345678901234567", "1.1234567890123457"));
});

test("As texts they are written as numbers again", () => {
    const type = packet(score, "string");
    const message = type.decode(bytes('{"id":9007199254740993,"all":[1]}'));
    assert.deepEqual(message, { id: "9007199254740993", all: ["1"] });
    assert.equal(text(type.encode(message)), '{"id":9007199254740993,"all":[1]}');
});

test("As numbers, those that a number does not hold exactly are refused both ways", () => {
    const type = packet(score, "number");
    assert.deepEqual(type.decode(bytes('{"id":9007199254740991}')), { id: 9007199254740991 });
    assert.throws(() => type.decode(bytes('{"id":9007199254740993}')), RangeError);
    assert.throws(() => type.encode({ id: 2 ** 53 }), RangeError);
});

test("What JSON cannot hold is refused by the name of its packet and member", () => {
    assert.throws(() => packet(score).encode({ id: 1n, speed: NaN }), { message: "Move: speed is NaN, which JSON cannot hold." });
});

test("The member that says which kind it is comes first, and a kind's own integers are converted", () => {
    const type = packet(object(() => ({ item: union("$type", () => ({ sword: object(() => ({ price: long })) })) })));
    assert.equal(text(type.encode({ item: { price: 5n, $type: "sword" } })), '{"item":{"$type":"sword","price":5}}');
    assert.equal(text(type.encode({ item: { name: "a", $type: "bow" } })), '{"item":{"$type":"bow","name":"a"}}');
    assert.equal(text(type.encode({ item: null })), '{"item":null}');
    assert.deepEqual(type.decode(bytes('{"item":{"$type":"sword","price":5}}')), { item: { $type: "sword", price: 5n } });
});
