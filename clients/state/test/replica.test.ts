import assert from "node:assert/strict";
import { test } from "node:test";
import { StateError, StateReplica } from "../src/index.js";
import {
    added, changes, f32, f64, field, items, kept, kinds, object, patch, schema, snapshot, splice, text, type, varint, zigzag,
} from "./writer.js";

interface Item {
    readonly x: number;
    readonly child: Item | null;
}

interface World {
    readonly tick: number;
    readonly names: readonly (string | null)[];
    readonly scores: ReadonlyMap<number, number>;
    readonly hero: Item | null;
    readonly list: readonly Item[];
    readonly map: ReadonlyMap<string, Item>;
}

const world = schema(
    type("World",
        field(1, "tick", kinds.unsigned), field(2, "names", kinds.list(kinds.text)),
        field(3, "scores", kinds.map(kinds.signed, kinds.byte)), field(4, "hero", kinds.object(1)),
        field(5, "list", kinds.list(kinds.object(1))), field(6, "map", kinds.map(kinds.text, kinds.object(1)))),
    type("Item", field(1, "x", kinds.fixed(1)), field(2, "child", kinds.object(1))),
);

/** A replica of a world at revision 1. */
function worldOf(...root: (readonly number[] | undefined)[]): { state: StateReplica<World>; root: World } {
    const state = new StateReplica<World>();
    assert.equal(state.apply(snapshot(1, world, ...root)), true);
    return { state, root: state.root! };
}

const item = (x: number): { x: number; child: null } => ({ x, child: null });

test("Every kind has its default, its value in a snapshot and its value in an entry", () => {
    const rows: [name: string, kind: number[], initial: unknown, bytes: number[], value: unknown][] = [
        ["boolean", kinds.boolean, false, [1], true],
        ["byte", kinds.byte, 0, [255], 255],
        ["unsigned", kinds.unsigned, 0, varint(300), 300],
        ["unsigned long", kinds.unsigned, 0, varint(2n ** 64n - 1n), 2n ** 64n - 1n],
        ["signed", kinds.signed, 0, zigzag(-300), -300],
        ["signed long", kinds.signed, 0, zigzag(-(2n ** 63n)), -(2n ** 63n)],
        ["f32", kinds.f32, 0, f32(1.5), 1.5],
        ["f64", kinds.f64, 0, f64(Math.PI), Math.PI],
        ["text", kinds.text, null, text("민수 👋"), "민수 👋"],
        ["empty text", kinds.text, null, text(""), ""],
        ["long text", kinds.text, null, text("x".repeat(1000)), "x".repeat(1000)],
        ["fixed", kinds.fixed(2), 0, zigzag(-150), -1.5],
        ["range", kinds.range(-10, 10, 8), -10, varint(255), 10],
        ["wide range", kinds.range(0, 1, 32), 0, varint(0xffff_ffff), 1],
        ["object", kinds.object(1), null, object(1, [7]), { hp: 7 }],
        ["list", kinds.list(kinds.boolean), [], items([1], [0]), [true, false]],
        ["map", kinds.map(kinds.text, kinds.f32), new Map(), items([...text("a"), ...f32(2)]), new Map([["a", 2]])],
    ];
    const description = schema(
        type("Root", ...rows.map(([name, kind], i) => field(i + 1, name, kind))), type("Hero", field(1, "hp", kinds.byte)),
    );
    const defaults = Object.fromEntries(rows.map(([name, , initial]) => [name, initial]));
    const all = Object.fromEntries(rows.map(([name, , , , value]) => [name, value]));
    const state = new StateReplica();

    state.apply(snapshot(1, description));
    assert.deepEqual(state.root, defaults);
    state.apply(snapshot(2, description, ...rows.map(([, , , bytes]) => bytes)));
    assert.deepEqual(state.root, all);
    state.apply(snapshot(3, description));
    assert.deepEqual(state.root, defaults);

    // In an entry, a list and a map have another form; in a relative one, so do quantized numbers: from 0, all as deltas.
    const inEntry = (isRelative: boolean): number[][] => rows.map(([name, , , bytes]) => name === "list" ? splice(0, undefined, [1], [0])
        : name === "map" ? changes([], [...text("a"), ...f32(2)])
            : !isRelative ? bytes : name === "range" ? zigzag(255) : name === "wide range" ? zigzag(0xffff_ffff) : bytes);
    state.apply(patch(4, 1, [], [[0, ...inEntry(false)]]));
    assert.deepEqual(state.root, all);
    state.apply(snapshot(5, description));
    state.apply(patch(6, 1, [[0, ...inEntry(true)]]));
    assert.deepEqual(state.root, all);
});

test("Every kind of items, keys and values", () => {
    const keys: [number[], number[], unknown][] = [
        [kinds.byte, [9], 9], [kinds.unsigned, varint(2n ** 63n), 2n ** 63n], [kinds.signed, zigzag(-9), -9], [kinds.text, text("k"), "k"],
    ];
    const values: [number[], number[], unknown][] = [
        [kinds.boolean, [1], true], [kinds.byte, [9], 9], [kinds.unsigned, varint(300), 300], [kinds.signed, zigzag(-9), -9],
        [kinds.f32, f32(0.5), 0.5], [kinds.f64, f64(0.1), 0.1], [kinds.text, text(null), null], [kinds.fixed(1), zigzag(-5), -0.5],
        [kinds.range(0, 3, 2), varint(2), 2], [kinds.object(1), object(1), {}],
    ];
    for (const [keyKind, key, expectedKey] of keys) {
        for (const [valueKind, value, expected] of values) {
            const description = schema(
                type("Root", field(1, "map", kinds.map(keyKind, valueKind)), field(2, "list", kinds.list(valueKind))), type("Empty"),
            );
            const state = new StateReplica();
            const second = valueKind[0] === 10 ? object(2) : value;
            state.apply(snapshot(1, description, items([...key, ...value]), items(second)));
            assert.deepEqual(state.root, { map: new Map([[expectedKey, expected]]), list: [expected] });
            state.apply(patch(2, 1, [[0, changes([key]), splice(0, 1)]]));
            assert.deepEqual(state.root, { map: new Map(), list: [] });
            state.apply(patch(3, 1, [[0, changes([], [...key, ...value]), splice(0, 0, valueKind[0] === 10 ? added(2) : value)]]));
            assert.deepEqual(state.root, { map: new Map([[expectedKey, expected]]), list: [expected] });
        }
    }
});

test("A type with 63 fields, the last of which change", () => {
    const fields = Array.from({ length: 63 }, (_, i) => field(i * 3, `f${i}`, kinds.byte));
    const state = new StateReplica<Record<string, number>>();
    const slots = (...set: number[]): (number[] | undefined)[] =>
        Array.from({ length: 63 }, (_, i) => set.includes(i) ? [i + 1] : undefined);
    state.apply(snapshot(1, schema(type("Wide", ...fields)), ...slots(31, 32, 62)));
    state.apply(patch(2, 1, [[0, ...slots(0, 27, 28, 34, 35, 61)]]));
    const set = Object.entries(state.root!).filter(([, value]) => value > 0).map((pair) => pair.join("="));
    assert.equal(set.join(" "), "f0=1 f27=28 f28=29 f31=32 f32=33 f34=35 f35=36 f61=62 f62=63");
    const last = Uint8Array.from([2, 3, 1, 1, 0, ...varint(1n << 63n), 1, 0]);
    assert.throws(() => state.apply(last), StateError);
});

test("Quantized numbers move by deltas in a relative entry, and stand alone everywhere else", () => {
    const { state, root } = worldOf(undefined, undefined, undefined, object(1, zigzag(15)));
    const { hero } = root;
    state.apply(patch(2, 1, [[1, zigzag(-5)]]));
    assert.equal(hero!.x, 1);
    state.apply(patch(3, 1, [], [[1, zigzag(7)]]));
    assert.equal(hero!.x, 0.7);
    state.apply(patch(4, 1, [[1, zigzag(1)]]));
    assert.equal(hero!.x, 0.8);
    state.apply(patch(5, 1, [[1, undefined, object(2, zigzag(30))]]));
    assert.equal(hero!.child!.x, 3);
    state.apply(patch(6, 1, [[2, zigzag(2n ** 62n)]]));
    state.apply(patch(7, 1, [[2, zigzag(2n ** 62n)]]));
    assert.equal(hero!.child!.x, Number(-(2n ** 63n) + 30n) / 10); // 64 bits, as on the server
    state.apply(patch(8, 1, [[2, zigzag(-(2n ** 63n))]]));
    assert.equal(hero!.child!.x, 3);
});

test("What a replica does with a patch depends on its revision", () => {
    const { state, root } = worldOf(varint(10));
    const tick = (revision: number, distance: number, isRelative: boolean): boolean => {
        const entries = [[0, varint(revision * 10)]] as const;
        return state.apply(isRelative ? patch(revision, distance, entries) : patch(revision, distance, [], entries));
    };
    assert.equal(new StateReplica().apply(patch(1, 1, [])), false, "no snapshot yet");
    assert.equal(tick(1, 1, true), false, "not newer");
    assert.equal(tick(3, 1, true), false, "the base is ahead");
    assert.equal(tick(3, 1, false), false, "the base is ahead, absolute");
    assert.equal(tick(5, 4, true), true, "fits");
    assert.equal(tick(7, 4, true), false, "relative to an older revision");
    assert.equal(tick(5, 1, false), false, "the same revision");
    assert.equal(tick(7, 4, false), true, "absolute, from an older revision");
    assert.deepEqual([state.revision, root.tick], [7, 70]);
    assert.equal(state.apply(snapshot(2, world, varint(20))), true, "a snapshot, of any revision");
    assert.deepEqual([state.revision, root.tick], [2, 20]);
});

test("An object with the same number in the same place is the same object, also across snapshots", () => {
    const full = [
        undefined, undefined, undefined, object(1, undefined, object(2)), items(object(3), object(4)), items([...text("a"), ...object(5)]),
    ];
    const { state, root } = worldOf(...full);
    const objects = (): object[] => [root.hero!, root.hero!.child!, ...root.list, root.map.get("a")!];
    const before = objects();
    const { list, map } = root;

    state.apply(snapshot(9, world, ...full));
    assert.equal(state.root, root);
    assert.deepEqual([root.list, root.map], [list, map]);
    objects().forEach((value, i) => assert.equal(value, before[i]));

    state.apply(patch(10, 1, [], [[0, undefined, undefined, undefined, object(1, zigzag(5)),
        splice(0, undefined, kept(4), added(3, zigzag(8))), changes([], [...text("a"), ...object(5)])]]));
    assert.equal(root.hero, before[0]);
    assert.deepEqual(root.hero, item(0.5)); // the child has its default, null
    assert.deepEqual([root.list[0] === before[3], root.list[1] === before[2], root.list[1]!.x], [true, true, 0.8]);
    assert.equal(root.map.get("a"), before[4]);

    state.apply(patch(11, 1, [[0, undefined, undefined, undefined, object(2), splice(0, 2, added(1), added(5)),
        changes([], [...text("a"), ...object(3)])]]));
    assert.notEqual(root.hero, before[0]);
    assert.deepEqual(root, {
        tick: 0, names: [], scores: new Map(), hero: item(0), list: [item(0), item(0)], map: new Map([["a", item(0)]]),
    });
    state.apply(patch(12, 1, [[1, zigzag(1)], [2, zigzag(2)], [3, zigzag(3)], [5, zigzag(5)]]));
    assert.deepEqual([root.hero!.x, root.list[0]!.x, root.list[1]!.x, root.map.get("a")!.x], [0.2, 0.1, 0.5, 0.3]);
});

test("An object that is gone cannot change any more, and neither can those inside it", () => {
    for (const gone of [
        patch(2, 1, [[0, undefined, undefined, undefined, [0]]]),
        patch(2, 1, [[0, undefined, undefined, undefined, object(7)]]),
        snapshot(2, world),
    ]) {
        for (const number of [1, 2]) {
            const { state } = worldOf(undefined, undefined, undefined, object(1, undefined, object(2)));
            state.apply(gone);
            assert.throws(() => state.apply(patch(3, 1, [[number, zigzag(1)]])), StateError);
        }
    }
});

test("Lists change by a splice or as a whole", () => {
    const { state, root } = worldOf(undefined, items(text("a"), text("b"), text("c")));
    const { names } = root;
    state.apply(patch(2, 1, [[0, undefined, splice(1, 1, text("x"), text(null))]]));
    assert.deepEqual(names, ["a", "x", null, "c"]);
    state.apply(patch(3, 1, [[0, undefined, splice(4, 0, text("d"))]]));
    assert.deepEqual(names, ["a", "x", null, "c", "d"]);
    state.apply(patch(4, 1, [[0, undefined, splice(0, 4)]]));
    assert.deepEqual(names, ["d"]);
    state.apply(patch(5, 1, [], [[0, undefined, splice(0, undefined, text("e"), text("f"))]]));
    assert.deepEqual(names, ["e", "f"]);
    assert.equal(root.names, names);
});

test("Maps lose keys first, then set them", () => {
    const { state, root } = worldOf(undefined, undefined, items([...zigzag(1), 10], [...zigzag(2), 20]));
    state.apply(patch(2, 1, [[0, undefined, undefined, changes([zigzag(1), zigzag(7)], [...zigzag(1), 11], [...zigzag(3), 30])]]));
    assert.deepEqual(root.scores, new Map([[2, 20], [1, 11], [3, 30]]));
});

test("A schema that differs from the former one gives a new root", () => {
    const { state, root } = worldOf(varint(5));
    const roots: object[] = [];
    state.onRoot((value) => roots.push(value));
    state.apply(snapshot(2, schema(type("World", field(1, "tick", kinds.unsigned), field(9, "added", kinds.boolean))), varint(6), [1]));
    assert.deepEqual(state.root, { tick: 6, added: true });
    assert.deepEqual(roots, [root, state.root]);
    assert.equal(root.tick, 5);
});

test("Messages are read from views into larger buffers and from ArrayBuffers, and not kept", () => {
    const bytes = snapshot(1, world, varint(5), items(text("abc")));
    const larger = new Uint8Array(bytes.length + 20);
    larger.set(bytes, 10);
    const state = new StateReplica<World>();
    state.apply(larger.subarray(10, 10 + bytes.length));
    larger.fill(0xff);
    state.apply(Uint8Array.from(patch(2, 1, [[0, varint(6)]])).buffer);
    assert.deepEqual([state.root!.tick, state.root!.names], [6, ["abc"]]);
    state.apply(bytes);
    assert.equal(state.root!.tick, 5);
});

test("Names that objects inherit are ordinary fields", () => {
    const names = ["constructor", "toString", "hasOwnProperty", ""];
    const state = new StateReplica();
    state.apply(snapshot(1, schema(type("Root", ...names.map((name, i) => field(i, name, kinds.byte))))));
    assert.deepEqual(Object.keys(state.root!), names);
});

test("Objects of one type have one shape, whatever their values", () => {
    const state = new StateReplica<World>();
    state.apply(snapshot(1, world, undefined, undefined, undefined, object(1, zigzag(5)),
        items(object(2), object(3, undefined, object(4)))));
    assert.deepEqual([state.root!.hero!, ...state.root!.list].map((value) => Object.keys(value).join()), ["x,child", "x,child", "x,child"]);
});
