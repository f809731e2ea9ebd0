// Decodes the same world by @playchat/state and by @colyseus/schema, alternately in one process.
//
//   tools/web build
//   cd clients/state/bench && npm install --no-save --no-package-lock --prefix . @colyseus/schema@5.0.34
//   node compare.mjs [ROUNDS]
//
// The world: 1,000 entities (u32 id, two f32, two u8) in a map. In each patch 200 of them move, and every tenth of these changes one u8.
import { Decoder, Encoder, schema, t } from "@colyseus/schema";
import { StateReplica } from "../dist/index.js";

const entities = 1000;
const changed = 200;
const patches = 400;
const rounds = Number(process.argv[2] ?? 9);

/** The world and its changes, the same for both. */
class Simulation {
    tick = 0;
    list = Array.from({ length: entities }, (_, id) => ({ id, x: id * 1.25, y: id * 0.75, hp: 100, dir: 0 }));

    /** Returns those that have changed. */
    step() {
        this.tick++;
        return Array.from({ length: changed }, (_, i) => {
            const entity = this.list[(this.tick * changed + i * 5) % entities];
            entity.x = Math.fround(entity.x + 1.5);
            entity.y = Math.fround(entity.y - 0.5);
            const hasHp = i % 10 === 0;
            entity.hp = (entity.hp + Number(hasHp)) % 101;
            return { entity, hasHp };
        });
    }
}

/** Messages of proto/STATE.md. */
function playChatMessages() {
    const bytes = [];
    const varint = (n) => {
        for (; n > 0x7f; n = Math.floor(n / 128)) {
            bytes.push((n & 0x7f) | 0x80);
        }
        bytes.push(n);
    };
    const f32 = (n) => bytes.push(...new Uint8Array(Float32Array.of(n).buffer));
    const text = (value) => {
        varint(value.length + 1);
        bytes.push(...Buffer.from(value));
    };
    const take = () => Uint8Array.from(bytes.splice(0));

    const simulation = new Simulation();
    bytes.push(1, 1, 2);
    text("World");
    bytes.push(2, 1);
    text("tick");
    bytes.push(3, 2);
    text("es");
    bytes.push(12, 3, 10, 1);
    text("Entity");
    bytes.push(5);
    [["id", 3], ["x", 5], ["y", 5], ["hp", 2], ["dir", 2]].forEach(([name, kind], i) => {
        bytes.push(i + 1);
        text(name);
        bytes.push(kind);
    });
    bytes.push(2);
    varint(entities);
    for (const { id, x, y, hp, dir } of simulation.list) {
        varint(id);
        varint(id + 1);
        bytes.push(31);
        varint(id);
        f32(x);
        f32(y);
        bytes.push(hp, dir);
    }
    const snapshot = take();
    const all = Array.from({ length: patches }, (_, i) => {
        const changes = simulation.step().sort((a, b) => a.entity.id - b.entity.id);
        bytes.push(2);
        varint(i + 2);
        bytes.push(1);
        varint(changes.length + 1);
        bytes.push(0, 1);
        varint(simulation.tick);
        let previous = 0;
        for (const { entity, hasHp } of changes) {
            varint(entity.id + 1 - previous - 1);
            previous = entity.id + 1;
            bytes.push(hasHp ? 14 : 6);
            f32(entity.x);
            f32(entity.y);
            if (hasHp) {
                bytes.push(entity.hp);
            }
        }
        bytes.push(0);
        return take();
    });
    return { snapshot, patches: all, last: simulation };
}

function colyseusMessages() {
    const Entity = schema({ id: t.uint32(), x: t.float32(), y: t.float32(), hp: t.uint8(), dir: t.uint8() }, "Entity");
    const World = schema({ tick: t.uint32(), es: t.map(Entity) }, "World");
    Encoder.BUFFER_SIZE = 1 << 20;
    const simulation = new Simulation();
    const world = new World();
    const encoder = new Encoder(world);
    const list = simulation.list.map((values) => {
        const entity = Object.assign(new Entity(), values);
        world.es.set(String(values.id), entity);
        return entity;
    });
    const snapshot = encoder.encodeAll().slice();
    encoder.discardChanges();
    const all = Array.from({ length: patches }, () => {
        const changes = simulation.step();
        world.tick = simulation.tick;
        for (const { entity, hasHp } of changes) {
            list[entity.id].x = entity.x;
            list[entity.id].y = entity.y;
            if (hasHp) {
                list[entity.id].hp = entity.hp;
            }
        }
        const bytes = encoder.encode().slice();
        encoder.discardChanges();
        return bytes;
    });
    return { snapshot, patches: all, last: simulation, World };
}

function check(root, { list, tick }, name) {
    const isEqual = root.tick === tick && list.every((entity) => {
        const { x, y, hp } = root.es.get(typeof [...root.es.keys()][0] === "string" ? String(entity.id) : entity.id);
        return x === Math.fround(entity.x) && y === Math.fround(entity.y) && hp === entity.hp;
    });
    if (!isEqual) {
        throw new Error(`${name} does not have the world that was sent.`);
    }
}

/** Runs all messages once. Returns microseconds. */
function measure({ snapshot, patches: all }, make) {
    const { apply, root } = make();
    const start = process.hrtime.bigint();
    apply(snapshot);
    const joined = process.hrtime.bigint();
    for (const patch of all) {
        apply(patch);
    }
    const end = process.hrtime.bigint();
    return { root, snapshot: Number(joined - start) / 1000, patch: Number(end - joined) / 1000 / all.length };
}

const playChat = playChatMessages();
const colyseus = colyseusMessages();
const contenders = [
    ["@playchat/state", playChat, () => {
        const state = new StateReplica();
        return { apply: (bytes) => state.apply(bytes), root: () => state.root };
    }],
    ["@colyseus/schema", colyseus, () => {
        const state = new colyseus.World();
        const decoder = new Decoder(state);
        return { apply: (bytes) => decoder.decode(bytes), root: () => state };
    }],
];
const results = new Map(contenders.map(([name]) => [name, []]));
for (let round = -2; round < rounds; round++) { // two rounds to warm up
    for (const [name, messages, make] of contenders) {
        const result = measure(messages, make);
        check(result.root(), messages.last, name);
        if (round >= 0) {
            results.get(name).push(result);
        }
    }
}

const spread = (values) => {
    const sorted = values.toSorted?.((a, b) => a - b) ?? [...values].sort((a, b) => a - b);
    const show = (n) => n.toFixed(n < 100 ? 1 : 0);
    return `${show(sorted[sorted.length >> 1])} (${show(sorted[0])} to ${show(sorted.at(-1))})`;
};
const mean = (all) => Math.round(all.reduce((sum, { length }) => sum + length, 0) / all.length);
console.log(`Node ${process.versions.node}, median of ${rounds} rounds (least to most)`);
console.log("| | bytes of the snapshot | its decoding, µs | bytes of a patch | its decoding, µs |");
console.log("| --- | --- | --- | --- | --- |");
for (const [name, messages] of contenders) {
    const all = results.get(name);
    console.log(`| ${name} | ${messages.snapshot.length} | ${spread(all.map(({ snapshot }) => snapshot))} | ${mean(messages.patches)} | ${
        spread(all.map(({ patch }) => patch))} |`);
}
