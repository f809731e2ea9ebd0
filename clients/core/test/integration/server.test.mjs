// The contract of the clients in Node, and what takes a server that ends and starts again: tests/PlayChat.GameServer.
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import WebSocket from "ws";
import { closeReasonName } from "@playchat/core";
import { GameServer } from "../../../testing/gameServer.mjs";
import { ContractRun, Roll, Rolled, Say, raised, session, statements, texts } from "../contract.mjs";
import { ContractHost } from "../contractHost.mjs";

const timeout = 60_000; // a guard, not a measure
const host = new ContractHost();
let run;

beforeEach(() => {
    run = new ContractRun(host, WebSocket);
});
afterEach(() => run.dispose());
after(() => host.dispose());

for (const [name, statement] of Object.entries(statements)) {
    test(name, { timeout }, () => statement(run));
}

test("A page that is loaded again resumes the session of the former client", { timeout }, async () => {
    const proxy = await run.proxy();
    const former = await run.connected({ ...session("Ann"), reconnect: false }, proxy.url);
    const { resume } = former;
    await proxy.cut();
    await former.closed;
    const next = await run.connected({ ...session("Ann"), resume });
    const heard = texts(next, 1);
    next.send(Say, { text: "back" });
    assert.deepEqual(await heard, ["back"]);
});

test("After kill -9 a room that survives continues, and the players are back in it", { timeout }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "playchat-"));
    const other = await GameServer.start(`rooms=${folder}`);
    try {
        const [ann, bob] = [await run.connected(session("Ann"), other.webSocketUrl), await run.connected(session("Bob"), other.webSocketUrl)];
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
        const plain = await run.connected({}, other.webSocketUrl);
        const ann = await run.connected(session("Ann"), other.webSocketUrl);
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

test("A malformed packet closes without telling the peer more than the reason", { timeout }, async () => {
    const client = await run.connected();
    client.send(Roll, { sides: "six" });
    assert.equal((await client.closed).message, "ProtocolViolation");
});
