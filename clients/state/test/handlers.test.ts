import assert from "node:assert/strict";
import { test } from "node:test";
import { type ItemHandlers, StateReplica } from "../src/index.js";
import { added, changes, field, items, kept, kinds, object, patch, schema, snapshot, splice, text, type } from "./writer.js";

interface Player {
    readonly hp: number;
    readonly dx: number;
}

interface World {
    readonly tick: number;
    readonly leader: Player | null;
    readonly players: ReadonlyMap<number, Player>;
    readonly order: readonly Player[];
    readonly scores: ReadonlyMap<string, number>;
    readonly lines: readonly string[];
}

const world = schema(
    type("World",
        field(1, "tick", kinds.byte), field(2, "leader", kinds.object(1)), field(3, "players", kinds.map(kinds.byte, kinds.object(1))),
        field(4, "order", kinds.list(kinds.object(1))), field(5, "scores", kinds.map(kinds.text, kinds.byte)),
        field(6, "lines", kinds.list(kinds.text))),
    type("Player", field(1, "hp", kinds.byte), field(2, "dx", kinds.byte)),
);

const full = [
    [1], undefined, items([7, ...object(1, [100])], [9, ...object(2, [50])]), items(object(3, [1]), object(4, [2])),
    items([...text("a"), 5]), items(text("x"), text("y")),
];

function start(): { state: StateReplica<World>; root: World; log: string[]; logged: (name: string) => ItemHandlers<unknown, unknown> } {
    const state = new StateReplica<World>();
    state.apply(snapshot(1, world, ...full));
    const log: string[] = [];
    const show = (value: unknown): string => JSON.stringify(value);
    return {
        state, root: state.root!, log,
        logged: (name) => ({
            added: (item, key) => log.push(`${name} + ${show(key)} ${show(item)}`),
            changed: (item, key, previous) => log.push(`${name} * ${show(key)} ${show(previous)} -> ${show(item)}`),
            removed: (item, key) => log.push(`${name} - ${show(key)} ${show(item)}`),
        }),
    };
}

/** What a message has told. */
function take(log: string[]): string[] {
    return log.splice(0);
}

test("Handlers of items hear at once of those that are there, and then of each change", () => {
    const { state, root, log, logged } = start();
    const stop = state.onItems(root.players, logged("players"));
    state.onItems(root.scores, logged("scores"));
    state.onItems(root.lines, logged("lines"));
    assert.deepEqual(take(log), [
        'players + 7 {"hp":100,"dx":0}', 'players + 9 {"hp":50,"dx":0}', 'scores + "a" 5', 'lines + 0 "x"', 'lines + 1 "y"',
    ]);
    state.apply(patch(2, 1, [[0, [2], undefined, changes([[7]], [8, ...object(5)]), undefined,
        changes([], [...text("a"), 6], [...text("b"), 1]), splice(0, 1, text("z"))]]));
    assert.deepEqual(take(log), [
        'players - 7 {"hp":100,"dx":0}', 'players + 8 {"hp":0,"dx":0}', 'scores * "a" 5 -> 6', 'scores + "b" 1', 'lines * 0 "x" -> "z"',
    ]);
    stop();
    state.apply(patch(3, 1, [[0, undefined, undefined, changes([[8], [9]]), undefined, changes([text("a")]),
        splice(0, undefined, text("z"))]]));
    assert.deepEqual(take(log), ['scores - "a" 6', 'lines - 1 "y"']);
});

test("An object under the same key is changed in place; another object under it is removed and added", () => {
    const { state, root, log, logged } = start();
    state.onItems(root.players, logged("players"));
    take(log);
    state.apply(patch(2, 1, [], [[0, undefined, undefined, changes([], [7, ...object(1, [99])])]]));
    assert.deepEqual(take(log), []);
    state.apply(patch(3, 1, [], [[0, undefined, undefined, changes([], [7, ...object(6, [98])])]]));
    assert.deepEqual(take(log), ['players - 7 {"hp":99,"dx":0}', 'players + 7 {"hp":98,"dx":0}']);
});

test("A list of objects tells which come and go, and nothing about those that move", () => {
    const { state, root, log, logged } = start();
    state.onItems(root.order, logged("order"));
    take(log);
    state.apply(patch(2, 1, [[0, undefined, undefined, undefined, splice(0, 2, kept(4), kept(3))]]));
    assert.deepEqual(root.order.map((player) => player.hp), [2, 1]);
    assert.deepEqual(take(log), []);
    state.apply(patch(3, 1, [[0, undefined, undefined, undefined, splice(0, 2, added(9, [3]), kept(3))]]));
    assert.deepEqual(take(log), ['order - 0 {"hp":2,"dx":0}', 'order + 0 {"hp":3,"dx":0}']);
});

test("Handlers of an empty list hear of its first items", () => {
    const { state, root, log, logged } = start();
    state.apply(patch(2, 1, [[0, undefined, undefined, undefined, splice(0, 2), undefined, splice(0, 2)]]));
    state.onItems(root.order, logged("order"));
    state.onItems(root.lines, logged("lines"));
    state.apply(patch(3, 1, [[0, undefined, undefined, undefined, splice(0, 0, added(9, [3])), undefined, splice(0, 0, text("z"))]]));
    assert.deepEqual(take(log), ['order + 0 {"hp":3,"dx":0}', 'lines + 0 "z"']);
});

test("Handlers of an object and of a field hear of what has changed, once for a message", () => {
    const { state, root, log } = start();
    const ann = root.players.get(7)!;
    state.onChange(ann, (previous) => log.push(`ann ${JSON.stringify([...previous])} -> ${ann.hp} ${ann.dx}`));
    state.onField(ann, "hp", (value, previous) => log.push(`hp ${previous} -> ${value}`));
    state.onField(root, "leader", (value, previous) => log.push(`leader ${JSON.stringify([previous, value])}`));
    const stop = state.onField(root, "tick", (value) => log.push(`tick ${value}`));

    state.apply(patch(2, 1, [[0, [2]], [1, [90], [3]]], [[1, [80]]]));
    assert.deepEqual(take(log), ["tick 2", 'ann [["hp",100],["dx",0]] -> 80 3', "hp 100 -> 80"]);
    stop();
    state.apply(patch(3, 1, [[0, [3], object(8)], [1, [80]], [2, [1]]]));
    assert.deepEqual(take(log), ['leader [null,{"hp":0,"dx":0}]'], "hp is set to what it was, and player 9 is not watched");
    state.apply(patch(4, 1, [[8, [1]]]));
    assert.deepEqual(take(log), [], "the leader is the same object");
});

test("A snapshot tells how it differs from the state before it", () => {
    const { state, root, log, logged } = start();
    state.onItems(root.players, logged("players"));
    state.onItems(root.lines, logged("lines"));
    state.onField(root, "tick", (value, previous) => log.push(`tick ${previous} -> ${value}`));
    state.onChange(root.players.get(7)!, (previous) => log.push(`ann ${JSON.stringify([...previous])}`));
    take(log);
    state.apply(snapshot(9, world, undefined, undefined, items([7, ...object(1, [99])], [8, ...object(2)]), undefined, undefined,
        items(text("x"))));
    assert.deepEqual(take(log), [
        "tick 1 -> 0", 'players + 8 {"hp":0,"dx":0}', 'players - 9 {"hp":50,"dx":0}', 'ann [["hp",100]]', 'lines - 1 "y"',
    ]);
});

test("Handlers are called when the whole message is applied", () => {
    const { state, root, log } = start();
    state.onItems(root.players, { added: (_, key) => log.push(`${key} ${root.scores.get("a")} ${root.order[0]!.hp} ${state.revision}`) });
    take(log);
    state.apply(patch(2, 1, [
        [0, undefined, undefined, changes([], [8, ...object(5)]), undefined, changes([], [...text("a"), 6])], [3, [77]],
    ]));
    assert.deepEqual(take(log), ["8 6 77 2"]);
});

test("A handler may add handlers; they do not hear of the same message again", () => {
    const { state, root, log, logged } = start();
    state.onItems(root.players, { removed: () => state.onItems(root.scores, logged("scores")) });
    state.onItems(root.scores, {});
    state.apply(patch(2, 1, [[0, undefined, undefined, changes([[7]]), undefined, changes([], [...text("a"), 6])]]));
    assert.deepEqual(take(log), ['scores + "a" 6']);
});

test("A handler that throws is reported and disturbs nothing; one that applies a message is told off", () => {
    const { state, root, log } = start();
    const errors: unknown[] = [];
    const { error } = console;
    console.error = (...all) => errors.push(String(all[1]));
    state.onField(root, "tick", () => {
        throw new Error("mine");
    });
    state.onField(root, "tick", () => state.apply(patch(3, 1, [])));
    state.onField(root, "tick", () => log.push("heard"));
    state.apply(patch(2, 1, [[0, [2]]]));
    console.error = error;
    assert.deepEqual(take(log), ["heard"]);
    assert.deepEqual(errors, ["Error: mine", "Error: A handler of the state cannot apply a message."]);
    assert.equal(state.apply(patch(3, 1, [])), true);
});

test("An object that is gone, or never was of the state, cannot be watched", () => {
    const { state, root } = start();
    const ann = root.players.get(7)!;
    state.apply(patch(2, 1, [[0, undefined, undefined, changes([[7]])]]));
    assert.throws(() => state.onChange(ann, () => {}), /not an object of the state/);
    assert.throws(() => state.onField({ hp: 1 }, "hp", () => {}), /not an object of the state/);
});

test("onRoot hears of the first snapshot, and of the next one after an error", () => {
    const state = new StateReplica<World>();
    const roots: World[] = [];
    state.onRoot((root) => roots.push(root));
    assert.deepEqual([state.root, state.revision], [undefined, 0]);
    state.apply(snapshot(1, world, ...full));
    state.apply(snapshot(2, world, ...full));
    assert.throws(() => state.apply(Uint8Array.of(3)));
    assert.deepEqual([state.root, state.revision], [undefined, 0]);
    assert.equal(state.apply(patch(3, 1, [])), false);
    state.apply(snapshot(1, world, ...full));
    assert.equal(roots.length, 2);
    assert.notEqual(roots[0], roots[1]);
    assert.equal(roots[1], state.root);
});
