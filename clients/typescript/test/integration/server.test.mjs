// The client, and a plain WebSocket, against the real server.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import WebSocket from "ws";
import { ChatClient, CloseReasons, ConnectError, ErrorCode, ModerationAction, connect } from "@playchat/client";
import { CuttingProxy } from "../../../testing/proxy.mjs";
import { ChatServer } from "../../../testing/server.mjs";
import { TcpSocket } from "../../../testing/tcpSocket.mjs";

const timeout = 60_000; // a guard, not a measure
const clients = []; // closed at the end: one that a failed test leaves would try to come back, and keep the process, for ever
let server;

before(async () => {
    server = await ChatServer.start("--PlayChat:Rooms:MaxMembers=3");
});
after(async () => {
    clients.forEach((client) => void client.close());
    await server?.dispose();
});

async function player(name, options = {}, url = server.webSocketUrl) {
    const client = await connect(url, { webSocket: WebSocket, ...options });
    clients.push(client);
    await client.login({ name });
    return client;
}

const tcpPlayer = (name) => player(name, { webSocket: TcpSocket }, `tcp://127.0.0.1:${server.tcpPort}`);

function texts(client, count) {
    const heard = [];
    return new Promise((resolve) => {
        client.on("message", ({ message }) => !message.system && heard.push(message.text) === count && resolve(heard));
    });
}

const event = (client, name) => new Promise((resolve) => client.on(name, resolve));

test("Clients on WebSocket and TCP chat in one room and see one order", { timeout }, async () => {
    const [ann, bob] = [await player("Ann"), await tcpPlayer("Bob")];
    const { roomId } = await ann.createRoom("order");
    const joined = event(ann, "memberJoined");
    await bob.joinRoom(roomId);
    assert.equal((await joined).member.name, "Bob");
    const heard = Promise.all([texts(ann, 100), texts(bob, 100)]);
    await Promise.all(Array.from({ length: 50 }, (_, i) => [ann.send(roomId, `ann ${i}`), bob.send(roomId, `밥 ${i}`)]).flat());
    const [first, second] = await heard;
    assert.deepEqual(first, second);
    assert.deepEqual(first.filter((text) => text.startsWith("ann")), Array.from({ length: 50 }, (_, i) => `ann ${i}`));
    await Promise.all([ann.close(), bob.close()]);
});

test("A player makes, finds and leaves rooms, reads what it said, and is refused what is not there", { timeout }, async () => {
    const ann = await player("Every");
    const { roomId, members } = await ann.createRoom("every request");
    assert.equal(members.length, 1);
    const { sequence } = await ann.send(roomId, "hello");
    const { messages, complete } = await ann.readHistory(roomId, { limit: 10 });
    assert.deepEqual([messages.map((message) => [message.text, message.sequence]), complete], [[["hello", sequence]], true]);
    assert.deepEqual((await ann.readHistory(roomId, { after: sequence })).messages, []);
    assert.ok((await ann.listRooms()).rooms.some((room) => room.roomId === roomId));
    const quiz = await ann.createRoom("easy quiz", { type: "quiz", properties: { level: "easy" } });
    assert.deepEqual(
        (await ann.listRooms(0n, 0, { type: "quiz", properties: { level: "easy" } })).rooms
            .map((room) => [room.roomId, room.type, room.properties]),
        [[quiz.roomId, "quiz", { level: "easy" }]],
    );
    assert.deepEqual((await ann.listRooms(0n, 0, { type: "quiz", properties: { level: "hard" } })).rooms, []);
    await ann.leaveRoom(quiz.roomId);
    assert.deepEqual([...(await ann.echo(new Uint8Array([1, 2, 3])))], [1, 2, 3]);
    await ann.leaveRoom(roomId);
    assert.equal(ann.room(roomId), undefined);
    const direct = new Promise((resolve) => ann.on("direct", ({ message }) => resolve([message.playerName, message.text])));
    await ann.sendDirect(members[0].playerId, "to myself");
    assert.deepEqual(await direct, ["Every", "to myself"]);
    await assert.rejects(ann.sendDirect(999_999n, "nobody"), { code: ErrorCode.PLAYER_NOT_CONNECTED });
    await assert.rejects(ann.joinRoom(999_999n), { code: ErrorCode.ROOM_NOT_FOUND });
    await assert.rejects(ann.send(roomId, "x"), { name: "ChatError" });
    await ann.close();
});

test("Every request of the client is answered by the server, and the others hear of it", { timeout: 120_000 }, async (t) => {
    const own = await ChatServer.start("--ChatLog:Durability=Stored"); // a message that was answered is found by a search
    t.after(() => own.dispose());
    const used = new Set(["constructor"]);
    const open = async () => {
        const client = await connect(own.webSocketUrl, { webSocket: WebSocket });
        clients.push(client);
        return new Proxy(client, {
            get(target, name) {
                const value = Reflect.get(target, name, target);
                return typeof value === "function" && used.add(name) ? value.bind(target) : value;
            },
        });
    };
    const [ann, phone, bob] = [await open(), await open(), await open()]; // the phone is Ann's
    let token;
    const keep = { load: () => token, save: (next) => { token = next; } };
    await ann.login({ name: "Ann", password: "one" });
    await phone.login({ name: "Ann", password: "one", keep });
    await bob.login({ name: "Bob", password: "one" });
    const [annId, bobId] = [ann.identity.playerId, bob.identity.playerId];

    const [entered, joined] = [event(phone, "roomEntered"), event(ann, "memberJoined")];
    const { roomId } = await ann.createRoom("every request");
    assert.equal((await entered).name, "every request");
    await bob.joinRoom(roomId);
    assert.equal((await joined).member.name, "Bob");
    const typing = event(ann, "typing");
    bob.sendTyping(roomId);
    assert.deepEqual(await typing, { roomId, playerId: bobId });

    const said = event(ann, "message");
    const { sequence } = await bob.send(roomId, "helo", { messageId: bob.newMessageId() });
    assert.equal((await said).message.text, "helo");
    const edited = event(ann, "edited");
    await bob.editMessage(roomId, sequence, "hello");
    assert.deepEqual([(await edited).edit.messageSequence, (await edited).edit.text], [sequence, "hello"]);
    const reaction = event(bob, "reaction");
    await ann.react(roomId, sequence, "👍");
    assert.deepEqual([(await reaction).reaction.emoji, (await reaction).reaction.player.name], ["👍", "Ann"]);
    const [read] = (await bob.readHistory(roomId)).messages.filter((message) => !message.system);
    assert.deepEqual([read.text, read.reactions.map(({ emoji, count }) => [emoji, count])], ["hello", [["👍", 1]]]);
    const { sequence: rude } = await ann.send(roomId, "you are all bears");
    assert.deepEqual((await bob.search("BEARS")).messages.map((message) => message.sequence), [rude]);
    ann.markRead(roomId, rude);
    await ann.echo(); // the server has taken the mark
    assert.equal((await phone.joinRoom(roomId)).membership.readSequence, rude);

    const reported = event(ann, "reported");
    const reportId = await bob.report(roomId, rude, "rude");
    assert.deepEqual([(await reported).report.reportId, (await reported).report.reason], [reportId, "rude"]);
    const { reports } = await ann.listReports(roomId);
    assert.deepEqual(reports.map((report) => [report.reportId, report.messages.at(-1).text]), [[reportId, "you are all bears"]]);
    await ann.resolveReport(roomId, reportId, "a joke");
    assert.deepEqual((await ann.listReports(roomId)).reports, []);
    const deleted = event(bob, "edited");
    await ann.deleteMessage(roomId, rude);
    assert.deepEqual([(await deleted).edit.messageSequence, (await deleted).edit.text], [rude, ""]);

    const left = event(bob, "roomLeft");
    await ann.moderate(roomId, { action: ModerationAction.KICK, playerName: "Bob", reason: "a joke as well" });
    assert.match((await left).message, /Ann removed you from every request.*a joke as well/);
    assert.equal(bob.room(roomId), undefined);
    const invited = event(bob, "invited");
    await ann.moderate(roomId, { action: ModerationAction.INVITE, playerName: "Bob" });
    assert.deepEqual([(await invited).membership.roomId, (await invited).by.name], [roomId, "Ann"]);
    const { members } = await ann.listMembers(roomId);
    assert.deepEqual(members.map(({ member, online }) => [member.name, online]), [["Ann", true], ["Bob", false]]);

    const [direct, sent] = [event(bob, "direct"), event(phone, "directSent")];
    const { number } = await ann.sendDirect("Bob", "psst");
    assert.deepEqual([(await direct).message.playerName, (await sent).message.playerId], ["Ann", bobId]);
    assert.deepEqual((await bob.readDirect(annId)).messages.map(({ text }) => text), ["psst"]);
    bob.markDirectRead(annId, number);
    assert.deepEqual((await bob.listConversations()).conversations.map(({ unread, readNumber }) => [unread, readNumber]), [[0, number]]);
    assert.deepEqual((await bob.blockPlayer("Ann")).blocked.map(({ name }) => name), ["Ann"]);
    await assert.rejects(ann.sendDirect(bobId, "why?"), { code: ErrorCode.PLAYER_REFUSES });

    await phone.close();
    const tablet = await open();
    assert.equal((await tablet.loginByToken(keep)).name, "Ann");
    await tablet.forgetDevice();
    assert.equal(token, undefined);
    const other = (await ann.listDevices()).find(({ isThis }) => !isThis);
    await ann.endDevice(other.deviceId);
    await tablet.closed;
    await ann.changePassword("one", "two");
    await assert.rejects((await open()).login({ name: "Ann", password: "one" }), { code: ErrorCode.LOGIN_REFUSED });

    await ann.leaveRoom(roomId);
    assert.deepEqual((await ann.listRooms()).rooms.map(({ name, members }) => [name, members]), [["every request", 0]]);
    assert.equal((await (await open()).resume(ann.snapshot())).recovered, true);
    const all = Object.entries(Object.getOwnPropertyDescriptors(ChatClient.prototype))
        .filter(([, { value }]) => typeof value === "function");
    assert.deepEqual(all.map(([name]) => name).filter((name) => !used.has(name)), []);
});

test("A message with the same number is taken once", { timeout }, async () => {
    const ann = await player("Once");
    const { roomId } = await ann.createRoom("once");
    const messageId = ann.newMessageId();
    const first = await ann.send(roomId, "only once", { messageId });
    const second = await ann.send(roomId, "only once", { messageId });
    assert.deepEqual([second.sequence, second.duplicate], [first.sequence, true]);
    await ann.close();
});

test("Nothing is lost, doubled or reordered with 20 cuts in 1,000 messages, and recovered says so", { timeout: 120_000 }, async () => {
    const proxy = await CuttingProxy.start(server.webPort);
    const ann = await player("Cut", { reconnectDelayMs: 10 }, `ws://127.0.0.1:${proxy.port}/ws`);
    const bob = await tcpPlayer("Uncut");
    const { roomId } = await bob.createRoom("cuts");
    await ann.joinRoom(roomId);
    const recoveries = [];
    ann.on("reconnected", (returned) => recoveries.push(returned.recovered));
    let count = 0;
    bob.on("message", ({ message }) => {
        if (!message.system && ++count % 48 === 0 && proxy.cuts < 20) {
            proxy.cut();
        }
    });
    const heard = Promise.all([texts(ann, 1000), texts(bob, 1000)]);
    await Promise.all([
        (async () => { for (let i = 0; i < 500; i++) await ann.send(roomId, `ann ${i}`, { timeoutMs: Infinity }); })(),
        (async () => { for (let i = 0; i < 500; i++) await bob.send(roomId, `bob ${i}`); })(),
    ]);
    const [first, second] = await heard;
    assert.deepEqual(first, second);
    assert.equal(new Set(first).size, 1000);
    assert.equal(proxy.cuts, 20);
    assert.ok(recoveries.length > 0 && recoveries.every((recovered) => recovered));
    await Promise.all([ann.close(), bob.close()]);
    await proxy.dispose();
});

test("A client whose login was taken over does not come back", { timeout }, async () => {
    const first = await player("Twin");
    const others = [];
    for (let i = 0; i < 5; i++) { // a player has five devices at most
        others.push(await player("Twin"));
    }
    const { reason, message } = await first.closed;
    assert.equal(reason, CloseReasons.TakenOver);
    assert.match(message, /Twin/);
    await Promise.all(others.map((other) => other.close()));
});

test("A snapshot continues the session in another client", { timeout }, async () => {
    const ann = await player("Snap");
    const bob = await tcpPlayer("Snapper");
    const { roomId } = await ann.createRoom("snapshot");
    await bob.joinRoom(roomId);
    const other = await connect(server.webSocketUrl, { webSocket: WebSocket });
    await bob.send(roomId, "one"); // ann may or may not see it before the snapshot: other gets it otherwise
    const snapshot = ann.snapshot();
    await bob.send(roomId, "two");
    const heard = texts(other, 1);
    assert.equal((await other.resume(snapshot)).recovered, true);
    assert.ok((await heard).length > 0);
    assert.deepEqual(other.room(roomId).members.map((member) => member.name).sort(), ["Snap", "Snapper"]);
    await assert.rejects(connect(server.webSocketUrl, { webSocket: WebSocket }).then((client) => client.resume(snapshot)), { name: "ChatError" });
    await Promise.all([other.close(), bob.close()]);
});

test("After a kill -9 the client returns to its rooms, and does not claim that nothing is missing", { timeout: 120_000 }, async () => {
    const own = await ChatServer.start("--ChatLog:Durability=Stored"); // an answer then says that the database has it, and the room
    try {
        const ann = await player("Kill", {}, own.webSocketUrl);
        const { roomId } = await ann.createRoom("killed");
        await ann.send(roomId, "before");
        const returned = event(ann, "reconnected");
        await own.kill();
        await own.restart();
        const { recovered, rooms } = await returned;
        assert.deepEqual([recovered, rooms[0].isMember], [false, true]);
        const heard = texts(ann, 1);
        await ann.send(roomId, "after");
        assert.deepEqual(await heard, ["after"]);
        await ann.close();
    } finally {
        await own.dispose();
    }
});

test("A server that stops for good ends the session", { timeout: 120_000 }, async () => {
    const own = await ChatServer.start("--Sessions:ReturnWithin=00:00:00");
    try {
        const ann = await player("Stop", {}, own.webSocketUrl);
        await own.stop();
        assert.equal((await ann.closed).reason, CloseReasons.ServerShutdown);
    } finally {
        await own.dispose();
    }
});

test("A server that refuses the upgrade, or is not there, is a ConnectError", { timeout }, async () => {
    await assert.rejects(connect(`ws://127.0.0.1:${server.webPort}/elsewhere`, { webSocket: WebSocket }), ConnectError);
    await assert.rejects(connect("ws://127.0.0.1:1/ws", { webSocket: WebSocket }), ConnectError);
});

test("A script with ws and PROTOCOL.md alone can log in", { timeout }, async () => {
    const socket = new WebSocket(server.webSocketUrl, "playchat.v1");
    await new Promise((resolve) => socket.once("open", resolve));
    assert.equal(socket.protocol, "playchat.v1");
    // C_LOGIN_REQ of PROTOCOL.md, "Packet"
    socket.send(Buffer.from("00000014000a00010a06ebafbcec88981a0664656d6f2f31", "hex"));
    const [answer, isBinary] = await new Promise((resolve) => socket.once("message", (...received) => resolve(received)));
    assert.ok(isBinary);
    assert.equal(answer.readUInt32BE(0), answer.length - 4);
    assert.deepEqual([answer.readUInt16BE(4), answer.readUInt16BE(6)], [1010, 1]);
    socket.close();
    await new Promise((resolve) => socket.once("close", resolve));
});

test("A peer that breaks the protocol is closed with a code of the table", { timeout }, async () => {
    const socket = new WebSocket(server.webSocketUrl, "playchat.v1");
    await new Promise((resolve) => socket.once("open", resolve));
    socket.send(Buffer.from("00000001ff", "hex")); // a length that no packet has
    const code = await new Promise((resolve) => socket.once("close", resolve));
    assert.equal(code, 4000 + CloseReasons.ProtocolViolation);
});

test("Every example of the README runs, and prints what it should", { timeout: 120_000 }, async () => {
    const expected = {
        quickStart: "Min: 안녕 👋\n",
        errors: "refused: ROOM_NOT_FOUND\n",
        reconnect: "the end: LocalClose\n",
        history: "message 4, message 5\nmessage 2, message 3\nmessage 1\n",
    };
    const built = new URL("../../build/examples/", import.meta.url);
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const names = readdirSync(new URL("../../examples/", import.meta.url)).map((file) => file.replace(/\.ts$/, ""));
    assert.deepEqual(names.sort(), Object.keys(expected).sort());
    for (const name of names) {
        assert.ok(readme.includes(readFileSync(new URL(`../../examples/${name}.ts`, import.meta.url), "utf8")), `${name} is not in the README as it is`);
        const code = readFileSync(new URL(`${name}.js`, built), "utf8").replace("ws://127.0.0.1:7780/ws", server.webSocketUrl);
        const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code], { cwd: new URL("..", built) });
        assert.equal(stdout, expected[name], name);
    }
});
