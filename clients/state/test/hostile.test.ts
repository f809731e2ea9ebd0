// What a server must not be able to do: messages that break a rule end in a StateError, and random ones in nothing worse.
import assert from "node:assert/strict";
import { test } from "node:test";
import { StateError, type StateLimits, StateReplica } from "../src/index.js";
import {
    added, changes, f64, field, items, kept, kinds, object, patch, schema, snapshot, splice, text, type, varint, zigzag,
} from "./writer.js";

const world = schema(
    type("World",
        field(1, "tick", kinds.unsigned), field(2, "name", kinds.text), field(3, "on", kinds.boolean), field(4, "hero", kinds.object(1)),
        field(5, "list", kinds.list(kinds.object(1))), field(6, "map", kinds.map(kinds.text, kinds.object(1))),
        field(7, "texts", kinds.list(kinds.text)),
        field(8, "f32", kinds.f32), field(9, "f64", kinds.f64), field(10, "byte", kinds.byte), field(11, "signed", kinds.signed)),
    type("Item", field(1, "x", kinds.fixed(2)), field(2, "r", kinds.range(0, 10, 4)), field(3, "child", kinds.object(1))),
);

const first = snapshot(1, world,
    varint(2n ** 60n), text("민수"), [1], object(1, zigzag(150), varint(3), object(2)), items(object(3), object(4, zigzag(-1))),
    items([...text("a"), ...object(5)], [...text("b"), ...object(6)]), items(text("x"), text(null)), [1, 2, 3, 4], f64(1), [9], zigzag(-9));
const second = patch(2, 1,
    [[0, varint(1), text("Ann"), [0], undefined, splice(0, 1, added(7, zigzag(1))), changes([text("a")], [...text("c"), ...object(5)])],
        [1, zigzag(-5), zigzag(2)], [6, zigzag(4), undefined, object(8, zigzag(1), varint(1))]],
    [[0, undefined, undefined, undefined, undefined, undefined, undefined, splice(0, undefined, text("y"))]]);

function started(limits: Partial<StateLimits> = {}): StateReplica<object> {
    const state = new StateReplica({ limits });
    state.apply(first);
    return state;
}

const fails = (apply: () => unknown, name: string): void => assert.throws(apply, StateError, name);

test("Both messages are valid", () => {
    const state = started();
    assert.equal(state.apply(second), true);
});

test("A message that ends early is refused, wherever it ends, and so is one with bytes left over", () => {
    for (const message of [first, second]) {
        for (let length = 0; length < message.length; length++) {
            const state = started();
            fails(() => state.apply(message.subarray(0, length)), `${length} bytes`);
        }
        const state = started();
        fails(() => state.apply(Uint8Array.from([...message, 0])), "one byte more");
    }
});

test("A schema that breaks a rule is refused", () => {
    const root = (...fields: number[][]): number[] => schema(type("Root", ...fields));
    for (const [name, description] of Object.entries({
        "no types": schema(),
        "numbers that fall": root(field(2, "a", kinds.byte), field(1, "b", kinds.byte)),
        "numbers twice": root(field(1, "a", kinds.byte), field(1, "b", kinds.byte)),
        "names twice": root(field(1, "a", kinds.byte), field(2, "a", kinds.byte)),
        "the prototype": root(field(1, "__proto__", kinds.byte)),
        "null as the name of a field": root(field(1, null, kinds.byte)),
        "null as the name of a type": schema(type(null)),
        "a name of 257 bytes": schema(type("x".repeat(257))),
        "64 fields": root(...Array.from({ length: 64 }, (_, i) => field(i, `f${i}`, kinds.byte))),
        "kind 0": root(field(1, "a", [0])),
        "kind 13": root(field(1, "a", [13])),
        "10 decimals": root(field(1, "a", kinds.fixed(10))),
        "0 bits": root(field(1, "a", kinds.range(0, 1, 0))),
        "33 bits": root(field(1, "a", kinds.range(0, 1, 33))),
        "an unknown type": root(field(1, "a", kinds.object(1))),
        "an unknown type of items": root(field(1, "a", kinds.list(kinds.object(7)))),
        "a list of lists": root(field(1, "a", kinds.list(kinds.list(kinds.byte)))),
        "a list of maps": root(field(1, "a", kinds.list(kinds.map(kinds.byte, kinds.byte)))),
        "a map of lists": root(field(1, "a", kinds.map(kinds.byte, kinds.list(kinds.byte)))),
        "boolean keys": root(field(1, "a", kinds.map(kinds.boolean, kinds.byte))),
        "f64 keys": root(field(1, "a", kinds.map(kinds.f64, kinds.byte))),
        "fixed keys": root(field(1, "a", kinds.map(kinds.fixed(1), kinds.byte))),
        "a name that is not UTF-8": schema([3, 0xff, 0xff, 0]),
    })) {
        fails(() => new StateReplica().apply(snapshot(1, description)), name);
    }
});

test("A message that breaks a rule is refused", () => {
    const entry = (slot: number, ...value: number[]): Parameters<typeof patch>[2] => [[0, ...new Array<undefined>(slot), value]];
    for (const [name, message] of Object.entries({
        "nothing": Uint8Array.of(),
        "message 0": Uint8Array.of(0, 1),
        "message 3": Uint8Array.of(3, 2),
        "revision 0": snapshot(0, world),
        "a revision that is too large": snapshot(2n ** 53n, world),
        "a distance of 0": patch(2, 0, []),
        "a distance beyond the first revision": patch(2, 3, []),
        "a number of 11 bytes": Uint8Array.of(1, ...new Array<number>(10).fill(0x80), 0),
        "a number of 65 bits": Uint8Array.of(1, ...new Array<number>(9).fill(0xff), 2),
        "a mask with a bit without a field": patch(2, 1, [[1, undefined, undefined, undefined, [0]]]),
        "an entry for an object that is not there": patch(2, 1, [[9, zigzag(1)]]),
        "an entry for an object far away": patch(2, 1, [[65_535, zigzag(1)]]),
        "a boolean of 2": patch(2, 1, entry(2, 2)),
        "text that is not UTF-8": patch(2, 1, entry(1, 3, 0xc3, 0x28)),
        "half of a surrogate pair": patch(2, 1, entry(1, 4, 0xed, 0xa0, 0x80)),
        "a number below its range": patch(2, 1, [[1, undefined, zigzag(-4)]]),
        "a number above its range": patch(2, 1, [[1, undefined, zigzag(13)]]),
        "a number above its range, absolute": patch(2, 1, [], [[1, undefined, varint(16)]]),
        "the root inside itself": patch(2, 1, entry(4, ...splice(0, 0, added(0)))),
        "null in a map": patch(2, 1, entry(5, ...changes([], [...text("a"), 0]))),
        "a key twice": patch(2, 1, entry(5, ...changes([], [...text("c"), ...object(9)], [...text("c"), ...object(10)]))),
        "a key twice in a full map": snapshot(2, world, undefined, undefined, undefined, undefined, undefined,
            items([...text("a"), ...object(5)], [...text("a"), ...object(6)])),
        "a revision of 33 bits": snapshot(2n ** 32n, world),
        "null as a key": patch(2, 1, entry(5, ...changes([text(null)]))),
        "a splice behind the end of a list": patch(2, 1, entry(6, ...splice(3, 0))),
        "a splice that removes too much": patch(2, 1, entry(6, ...splice(1, 2))),
        "a splice in an absolute block": patch(2, 1, [], entry(6, ...splice(0, 1))),
        "a whole list that starts elsewhere": patch(2, 1, entry(6, ...splice(1, undefined))),
        "an item that the list does not have": patch(2, 1, entry(4, ...splice(0, 1, kept(5)))),
        "an item twice": patch(2, 1, entry(4, ...splice(0, 1, kept(3), kept(3)))),
        "an item that is still elsewhere in the list": patch(2, 1, entry(4, ...splice(0, 1, kept(4)))),
        "two objects with one number": patch(2, 1, entry(3, ...object(5))),
        "two new objects with one number": patch(2, 1, entry(4, ...splice(0, 0, added(9), added(9)))),
    })) {
        const state = started();
        fails(() => state.apply(message), name);
        assert.deepEqual([state.root, state.revision], [undefined, 0], name);
        assert.equal(state.apply(first), true, name);
    }
});

test("A number may go from an object to a new one in the same message, before or after the former one is gone", () => {
    const before = patch(2, 1, [[0, undefined, undefined, undefined, object(3), splice(0, 1)]]);
    const after = patch(2, 1, [[0, undefined, undefined, undefined, undefined, splice(0, 0, added(1))], [4, undefined, undefined, [0]]],
        [[0, undefined, undefined, undefined, [0]]]);
    for (const [message, number] of [[before, 3], [after, 1]] as const) {
        const state = started();
        state.apply(message);
        assert.equal(state.apply(patch(3, 1, [[number, zigzag(1)]])), true);
    }
});

test("What is beyond a limit is refused, and what is within is not", () => {
    const long = text("x".repeat(10));
    const nested = (depth: number): number[] => depth === 0 ? [0] : object(9 + depth, undefined, undefined, nested(depth - 1));
    const hero = (value: number[]): Uint8Array => patch(2, 1, [[0, undefined, undefined, undefined, value]]);
    const slot = (index: number, value: number[]): Uint8Array => patch(2, 1, [[0, ...new Array<undefined>(index), value]]);
    for (const [limits, within, beyond] of [
        [{ maxMessageBytes: first.length }, first, Uint8Array.from([...first, 0])],
        [{ maxTextBytes: 10 }, slot(1, long), slot(1, text("x".repeat(11)))],
        [{ maxTextBytes: 12 }, slot(1, long), slot(1, varint(2n ** 50n))],
        [{ maxObjects: 9 }, hero(object(8)), hero(object(9))],
        [{ maxTypes: 2 }, first, snapshot(2, schema(type("A"), type("B"), type("C")))],
        [{ maxItems: 2 }, slot(6, splice(0, 1, text("z"))), slot(6, splice(0, 1, text("z"), text("z")))],
        [{ maxItems: 2 }, slot(5, changes([text("a")], [...text("z"), ...object(9)])), slot(5, changes([], [...text("z"), ...object(9)]))],
        [{ maxDepth: 4 }, hero(nested(3)), hero(nested(4))],
        [{}, hero(nested(15)), hero(nested(16))],
    ] as [Partial<StateLimits>, Uint8Array, Uint8Array][]) {
        const name = JSON.stringify(limits);
        assert.equal(started(limits).apply(within), true, name);
        fails(() => started(limits).apply(beyond), name);
    }
});

test("What all lists and all texts together add up to has limits as well", () => {
    const description = schema(type("Root", field(1, "a", kinds.list(kinds.text)), field(2, "b", kinds.list(kinds.text))));
    const state = (limits: Partial<StateLimits>): StateReplica<object> => {
        const replica = new StateReplica({ limits });
        replica.apply(snapshot(1, description));
        return replica;
    };
    const texts = splice(0, undefined, ...Array.from({ length: 10_000 }, () => text("xyz")));
    const fill = (replica: StateReplica<object>): void => {
        for (let revision = 2; revision < 20; revision++) { // more than 1 MiB
            replica.apply(patch(revision, 1, [[0, texts, texts]]));
        }
    };
    fill(state({ maxItems: 20_000, maxTotalText: 60_000 }));
    fails(() => fill(state({ maxItems: 19_999 })), "items");
    fails(() => fill(state({ maxTotalText: 59_999 })), "texts");
});

test("Depth is counted also when each message goes one deeper", () => {
    const state = started();
    let number = 1;
    fails(() => {
        for (let revision = 2; ; revision++, number++) {
            state.apply(patch(revision, 1, [[revision === 2 ? 1 : number + 7, undefined, undefined, object(number + 8)]]));
        }
    }, "too deep");
    assert.equal(number, 15);
});

/** A generator of 32-bit numbers with a seed (xorshift). */
function randomOf(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return (state >>> 0) % below;
    };
}

/** Checks an object after random messages: the state must be a tree, within the limits. */
function check(value: unknown, depth: number, seen: Set<unknown>): void {
    if (typeof value !== "object" || value === null) {
        return;
    }
    assert.ok(!seen.has(value), "an object has two places");
    seen.add(value);
    assert.ok(depth <= 16 && seen.size < 10_000);
    for (const inner of Object.values(value)) {
        for (const item of inner instanceof Map || Array.isArray(inner) ? inner.values() : [inner]) {
            check(item, depth + 1, seen);
        }
    }
}

test("Random messages, and valid ones with random changes, end in a StateError or in a state that is a tree", () => {
    const random = randomOf(20_261_128);
    let applied = 0;
    for (let round = 0; round < 20_000; round++) {
        const state = started();
        const messages = [first, second, second];
        for (const [i, valid] of messages.entries()) {
            let message = Uint8Array.from(valid);
            if (random(4) === 0) {
                message = Uint8Array.from({ length: random(60) }, (_, at) => at === 0 ? 1 + random(2) : random(random(3) === 0 ? 256 : 8));
            }
            for (let changes = random(4); changes > 0 && message.length > 0; changes--) {
                const at = random(message.length);
                message[at] = random(3) === 0 ? random(256) : message[at]! ^ (1 << random(8));
            }
            if (i > 0 && message[1] !== undefined) {
                message[1] = state.revision + 1; // else most would be ignored as old
            }
            try {
                applied += Number(state.apply(message));
            } catch (error) {
                assert.ok(error instanceof StateError, `round ${round}: ${String(error)}`);
                assert.equal(state.root, undefined);
                break;
            }
            check(state.root, 1, new Set());
        }
    }
    assert.ok(applied > 1000, `${applied}`);
});

test("A message that claims much and has little takes neither memory nor time", () => {
    const huge = varint(65_535);
    for (const message of [
        Uint8Array.from([2, 2, 1, ...huge, ...huge]),
        Uint8Array.from([2, 2, 1, 1, 0, 0x40, 1, ...huge]),
        Uint8Array.from([2, 2, 1, 1, 0, 0x20, ...huge]),
        Uint8Array.from([1, 1, ...varint(256), 1, 63]),
        Uint8Array.from([2, 2, 1, 1, 0, 2, ...varint(65_537)]),
    ]) {
        fails(() => started().apply(message), String(message));
    }
});
