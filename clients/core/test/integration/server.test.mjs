// The client, and a plain WebSocket, against a real server: tests/PlayChat.GameServer.
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import WebSocket from "ws";
import { CloseReasons, GameClient, RequestFailedError, RequestTimeoutError, closeReasonName, json, raw } from "@playchat/core";
import { StateReplica } from "@playchat/state";
import { GameServer } from "../../../testing/gameServer.mjs";
import { CuttingProxy } from "../../../testing/proxy.mjs";

const Join = json(1, "Join");
const Say = json(2, "Say");
const Said = json(3, "Said");
const Joined = json(4, "Joined");
const ComeBack = json(5, "ComeBack");
const Back = json(6, "Back");
const Roll = json(7, "Roll");
const Rolled = json(8, "Rolled");
const Problem = json(9, "Problem");
const Ignore = json(10, "Ignore");
const CloseMe = json(11, "CloseMe");
const AskMe = json(12, "AskMe");
const Question = json(13, "Question");
const Answer = json(14, "Answer");
const Gone = json(15, "Gone");
const Sit = json(16, "Sit");
const Move = json(17, "Move");
const Look = json(18, "Look");
const Looked = json(19, "Looked");
const Picture = raw(20, "Picture");
const Board = raw(22, "Board");

const timeout = 60_000; // a guard, not a measure
let server;
const clients = [];
const proxies = [];

before(async () => {
    server = await GameServer.start();
});
afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(proxies.splice(0).map((proxy) => proxy.dispose()));
});
after(() => server?.stop());

function make(options = {}, url = server.webSocketUrl) {
    const client = new GameClient(url, { webSocket: WebSocket, failures: [Problem], reconnectDelayMs: 10, ...options });
    clients.push(client);
    return client;
}

async function connected(options, url) {
    const client = make(options, url);
    await client.connect();
    return client;
}

/** Joins the lobby, or a table; after a break it comes back to its seat, and the server says whether anything is missing. */
const session = (name, seat) => ({
    enter: async (entry) => {
        const joined = entry.resume !== undefined
            ? await entry.request(ComeBack, { ...entry.resume, revision: seat?.state.revision ?? 0 }, Joined)
            : seat === undefined ? await entry.request(Join, { name }, Joined)
            : await entry.request(Sit, { name, table: seat.table }, Joined);
        if (joined.refusal !== undefined) {
            throw new Error(joined.refusal);
        }
        return { token: joined.token, recovered: entry.resume !== undefined && (await entry.next(Back)).recovered };
    },
});

/** The texts that a client hears, `count` of them. */
function texts(client, count) {
    const heard = [];
    return new Promise((resolve) => client.handle(Said, ({ text }) => heard.push(text) === count && resolve(heard)));
}

const raised = (client, name) => new Promise((resolve) => client.on(name, resolve));

test("Requests are answered, or fail with the server's message", { timeout }, async () => {
    const client = await connected();
    assert.deepEqual(await client.request(Roll, { sides: 6 }, Rolled), { number: 6 });
    await assert.rejects(client.request(Roll, { sides: 0 }, Rolled), (error) =>
        error instanceof RequestFailedError && error.answer.code === "NoSides");
    await assert.rejects(client.request(Join, { name: "" }, Rolled), { message: "The server answered Join (1) with packet 4 in place of Rolled." });
    await assert.rejects(client.request(Ignore, {}, Rolled, { timeoutMs: 1 }), RequestTimeoutError);
    assert.deepEqual(await Promise.all(Array.from({ length: 100 }, (_, i) => client.request(Roll, { sides: i + 1 }, Rolled))),
        Array.from({ length: 100 }, (_, i) => ({ number: i + 1 })));
});

test("Raw packets go through unchanged", { timeout }, async () => {
    const client = await connected();
    const picture = Uint8Array.from({ length: 10_000 }, (_, i) => i);
    assert.deepEqual(new Uint8Array(await client.request(Picture, picture, Picture)), picture);
    assert.equal((await client.request(Picture, new Uint8Array(), Picture)).byteLength, 0);
});

test("The server asks, and the client replies", { timeout }, async () => {
    const client = await connected();
    client.handle(Question, ({ text }, reply) => reply(Answer, { text: `${text}!` }));
    assert.deepEqual(await client.request(AskMe, { text: "안녕" }, Answer), { text: "안녕!" });
});

test("Players talk, and all hear the same order", { timeout }, async () => {
    const [ann, bob] = [await connected(session("Ann")), await connected(session("Bob"))];
    const heard = Promise.all([texts(ann, 40), texts(bob, 40)]);
    for (let i = 0; i < 20; i++) {
        assert.ok(ann.send(Say, { text: `a${i}` }) && bob.send(Say, { text: `b${i}` }));
    }
    const [first, second] = await heard;
    assert.deepEqual(first, second);
    assert.deepEqual(first.filter((text) => text.startsWith("a")), Array.from({ length: 20 }, (_, i) => `a${i}`));
});

test("A refusal of the server is thrown by connect", { timeout }, async () => {
    await assert.rejects(make(session("")).connect(), { message: "A name has 1 to 20 characters." });
});

test("After a break the client resumes with recovered, and hears what was said meanwhile, once and in order", { timeout }, async () => {
    const proxy = await CuttingProxy.start(server.port);
    proxies.push(proxy);
    const [ann, bob] = [await connected(session("Ann"), `ws://127.0.0.1:${proxy.port}/ws`), await connected(session("Bob"))];
    const log = [];
    const events = new EventTarget(); // what Ann hears
    const hears = (text) => new Promise((resolve) => events.addEventListener(text, resolve, { once: true }));
    ann.handle(Said, ({ text }) => {
        log.push(text);
        events.dispatchEvent(new Event(text));
    });
    ann.on("reconnected", (event) => log.push(event));
    const two = hears("two");
    bob.send(Say, { text: "one" });
    bob.send(Say, { text: "two" });
    await two;
    const gone = new Promise((resolve) => bob.handle(Gone, resolve));
    const back = raised(ann, "reconnected");
    proxy.cut();
    await gone; // what is said before the server knows of the break is sent to the dead connection, so Ann would have missed it
    bob.send(Say, { text: "three" });
    bob.send(Say, { text: "four" });
    await back;
    const five = hears("five");
    bob.send(Say, { text: "five" });
    await five;
    assert.deepEqual(log, ["one", "two", { recovered: true }, "three", "four", "five"]);
});

test("Without the server's replay the client resumes, and recovered is false", { timeout }, async () => {
    const other = await GameServer.start("replay=0");
    const proxy = await CuttingProxy.start(other.port);
    proxies.push(proxy);
    try {
        const ann = await connected(session("Ann"), `ws://127.0.0.1:${proxy.port}/ws`);
        const { token } = ann.resume;
        const back = raised(ann, "reconnected");
        proxy.cut();
        assert.deepEqual(await back, { recovered: false });
        assert.notEqual(ann.resume.token, token);
        const heard = texts(ann, 1);
        ann.send(Say, { text: "still a member" });
        assert.deepEqual(await heard, ["still a member"]);
    } finally {
        await other.stop();
    }
});

for (const [kind, ...args] of [["replays"], ["keeps nothing", "replay=0"]]) {
    test(`A state follows its room, also over a break: a server that ${kind}`, { timeout }, async () => {
        const other = await GameServer.start(...args);
        const proxy = await CuttingProxy.start(other.port);
        proxies.push(proxy);
        try {
            const state = new StateReplica();
            const [ann, bob] = [
                make(session("Ann", { table: "one", state }), `ws://127.0.0.1:${proxy.port}/ws`),
                make(session("Bob", { table: "one", state: new StateReplica() }), other.webSocketUrl),
            ];
            const text = ({ moves, pieces, notes }) =>
                [moves, ...[...pieces].sort().map(([name, { x }]) => `${name}=${x}`), ...notes].join(" ");
            const shown = new EventTarget(); // what Ann's copy shows
            let now = "";
            ann.handle(Board, (message) => {
                state.apply(message);
                now = text(state.root);
                shown.dispatchEvent(new Event("change"));
            });
            const shows = (awaited) => new Promise((resolve) => {
                const look = () => now === awaited && resolve();
                shown.addEventListener("change", look);
                look();
            });
            const gone = new Promise((resolve) => bob.handle(Gone, resolve));
            await bob.connect();
            bob.send(Move, { x: 0.25, note: "a" });
            await ann.connect();
            await shows("1 Ann=0 Bob=0.25 a");
            const piece = state.root.pieces.get("Bob");
            bob.send(Move, { x: 0.5, note: "b" });
            await shows("2 Ann=0 Bob=0.5 a b");
            const back = raised(ann, "reconnected");
            proxy.cut();
            await gone;
            bob.send(Move, { x: 0.75, note: "c" });
            bob.send(Move, { x: 1, note: "d" });
            await back;
            ann.send(Move, { x: 2, note: "e" });
            await shows("5 Ann=2 Bob=1 a b c d e");
            assert.equal((await ann.request(Look, {}, Looked)).board, now);
            assert.equal(state.root.pieces.get("Bob"), piece);
        } finally {
            await other.stop();
        }
    });
}

test("A page that is loaded again resumes the session of the former client", { timeout }, async () => {
    const proxy = await CuttingProxy.start(server.port);
    proxies.push(proxy);
    const former = await connected({ ...session("Ann"), reconnect: false }, `ws://127.0.0.1:${proxy.port}/ws`);
    const { resume } = former;
    proxy.cut();
    await former.closed;
    const next = await connected({ ...session("Ann"), resume });
    const heard = texts(next, 1);
    next.send(Say, { text: "back" });
    assert.deepEqual(await heard, ["back"]);
});

test("After kill -9 a room that survives continues, and the players are back in it", { timeout }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "playchat-"));
    const other = await GameServer.start(`rooms=${folder}`);
    try {
        const [ann, bob] = [await connected(session("Ann"), other.webSocketUrl), await connected(session("Bob"), other.webSocketUrl)];
        await bothAreSaved(folder);
        const back = Promise.all([raised(ann, "reconnected"), raised(bob, "reconnected")]);
        await other.kill();
        await other.restart();
        assert.deepEqual(await back, [{ recovered: false }, { recovered: false }]); // they are members, or the room would not say it
        const heard = texts(ann, 1);
        bob.send(Say, { text: "on we go" });
        assert.deepEqual(await heard, ["on we go"]);
    } finally {
        await other.stop();
        await rm(folder, { recursive: true });
    }
});

/** Waits until the saved lobby has both players. */
async function bothAreSaved(folder) {
    for (let saved = ""; !(saved.includes("Ann") && saved.includes("Bob")); await setTimeout(20)) {
        const file = (await readdir(folder)).find((name) => name.endsWith(".room"));
        saved = file === undefined ? "" : await readFile(join(folder, file), "latin1");
    }
}

test("After a restart of the server the client returns, and a session that is gone ends it with the server's sentence", { timeout }, async () => {
    const other = await GameServer.start();
    try {
        const plain = await connected({}, other.webSocketUrl);
        const ann = await connected(session("Ann"), other.webSocketUrl);
        const back = raised(plain, "reconnected");
        const breaks = raised(ann, "reconnecting");
        await other.stop();
        assert.equal(closeReasonName((await breaks).reason), "ServerShutdown");
        await other.restart();
        await back;
        assert.deepEqual(await plain.request(Roll, { sides: 2 }, Rolled), { number: 2 });
        assert.equal((await ann.closed).message, "The seat is gone.");
    } finally {
        await other.stop();
    }
});

for (const [name, send] of [
    ["UnknownPacket", (client) => client.send(json(500), {})],
    ["ProtocolViolation", (client) => client.send(Roll, { sides: "six" })],
    ["TakenOver", (client) => client.send(CloseMe, { reason: "TakenOver" })],
    ["LocalClose", (client) => client.send(CloseMe, { reason: "LocalClose" })],
    ["FrameTooLarge", (client) => client.send(Picture, new Uint8Array(1_000_000))],
]) {
    test(`A connection that the server closes for ${name} ends the client with this reason, by name`, { timeout }, async () => {
        const client = await connected();
        assert.ok(send(client));
        assert.equal(closeReasonName((await client.closed).reason), name);
        assert.equal(client.state, "closed");
    });
}

test("A malformed packet closes without telling the peer more than the reason", { timeout }, async () => {
    const client = await connected();
    client.send(Roll, { sides: "six" });
    assert.equal((await client.closed).message, "ProtocolViolation");
});

test("A quiet client answers heartbeats and stays, and one that does not is closed as IdleTimeout", { timeout }, async () => {
    const other = await GameServer.start("heartbeat=1000", "idle=2000");
    try {
        const quiet = await connected({ keepAliveMs: Infinity }, other.webSocketUrl);
        const silent = new WebSocket(other.webSocketUrl, "playchat.v1");
        const [code, reason] = await new Promise((resolve) => silent.on("close", (...close) => resolve(close)));
        assert.deepEqual([code, String(reason)], [4000 + CloseReasons.IdleTimeout, "IdleTimeout"]);
        assert.equal(await other.nextClose(), "IdleTimeout");
        assert.equal(quiet.state, "connected");
        assert.deepEqual(await quiet.request(Roll, { sides: 3 }, Rolled), { number: 3 });
    } finally {
        await other.stop();
    }
});

test("A server that the network has swallowed is noticed by its silence", { timeout }, async () => {
    const proxy = await CuttingProxy.start(server.port);
    proxies.push(proxy);
    const ann = await connected({ ...session("Ann"), keepAliveMs: 100 }, `ws://127.0.0.1:${proxy.port}/ws`);
    const breaks = raised(ann, "reconnecting");
    const back = raised(ann, "reconnected");
    proxy.silence();
    assert.equal((await breaks).reason, CloseReasons.IdleTimeout);
    await back;
});
