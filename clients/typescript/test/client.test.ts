import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { encodePacket, heartbeatPacketId } from "@playchat/core/parts";
import { CEchoReqSchema, CHeartbeatNtfSchema, SEchoResSchema, SNoticeNtfSchema } from "../src/gen/connection_pb.js";
import {
    CBlockPlayerReqSchema, CDirectChatReqSchema, CDirectHistoryReqSchema, CListConversationsReqSchema, SBlockPlayerResSchema,
    SDirectChatNtfSchema, SDirectChatResSchema, SDirectHistoryResSchema, SDirectSentNtfSchema, SListConversationsResSchema,
} from "../src/gen/direct_pb.js";
import { PacketId } from "../src/gen/packets_pb.js";
import {
    CJoinRoomReqSchema, CListRoomsReqSchema, CRoomChatReqSchema, SJoinRoomNtfSchema, SListRoomsResSchema, SRoomChatResSchema,
} from "../src/gen/room_pb.js";
import {
    type ChatClient, ChatError, CloseReasons, ConnectError, ConnectionClosedError, ErrorCode, RequestTimeoutError, connect,
} from "../src/index.js";
import type { ConnectOptions } from "../src/options.js";
import { FakeServer, type FakeSocket, chat, error, packet, turn, until } from "./fakeServer.js";

let server: FakeServer;

beforeEach(() => {
    server = new FakeServer();
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
});
afterEach(() => mock.timers.reset());

async function connected(options: ConnectOptions = {}): Promise<[ChatClient, FakeSocket]> {
    const connecting = connect("ws://test/ws", server.options(options));
    const socket = await server.accept();
    return [await connecting, socket];
}

async function loggedIn(options: ConnectOptions = {}): Promise<[ChatClient, FakeSocket]> {
    const [client, socket] = await connected(options);
    const login = client.login({ name: "Min" });
    await server.login(socket, 1);
    await login;
    return [client, socket];
}

async function inRoom(options: ConnectOptions = {}): Promise<[ChatClient, FakeSocket]> {
    const [client, socket] = await loggedIn(options);
    const joining = client.joinRoom(1n);
    const { requestId } = await socket.take(PacketId.C_JOIN_ROOM_REQ, CJoinRoomReqSchema);
    socket.deliver(server.joined(requestId, 1n, 1n));
    await joining;
    return [client, socket];
}

test("The client offers the subprotocol and takes binary messages", async () => {
    const [, socket] = await connected();
    assert.equal(socket.protocols, "playchat.v1");
    assert.equal(socket.binaryType, "arraybuffer");
});

for (const [after, named, rooms, more, last] of [
    [0n, 0n, [3n, 7n], true, 7n], // an older server names no last_room_id
    [7n, 0n, [], false, 0n], // and its empty page is the last one
    [7n, 0n, [7n], false, 7n], // a page that does not advance
    [7n, 1007n, [], true, 1007n],
] as const) {
    test(`A page of rooms after ${after} that names ${named} and has ${rooms.length} rooms ends at ${last}`, async () => {
        const [client, socket] = await loggedIn();
        const listing = client.listRooms(after);
        const { requestId } = await socket.take(PacketId.C_LIST_ROOMS_REQ, CListRoomsReqSchema);
        const answer = { rooms: rooms.map((roomId) => ({ roomId })), more: true, lastRoomId: named };
        socket.deliver(packet(PacketId.S_LIST_ROOMS_RES, requestId, SListRoomsResSchema, answer));
        const page = await listing;
        assert.deepEqual([page.more, page.lastRoomId], [more, last]);
    });
}

test("A server that refuses is a ConnectError", async () => {
    const connecting = connect("ws://test/ws", server.options());
    (await server.attempt()).drop();
    await assert.rejects(connecting, ConnectError);
});

test("A server that does not answer is a ConnectError after connectTimeoutMs", async () => {
    const connecting = connect("ws://test/ws", server.options({ connectTimeoutMs: 5000 }));
    const socket = await server.attempt();
    mock.timers.tick(5000);
    await assert.rejects(connecting, ConnectError);
    assert.ok(socket.hasClosed);
});

test("An AbortSignal gives up connecting", async () => {
    const abort = new AbortController();
    const connecting = connect("ws://test/ws", server.options({ signal: abort.signal }));
    const socket = await server.attempt();
    abort.abort();
    await assert.rejects(connecting, { name: "AbortError" });
    assert.ok(socket.hasClosed);
});

test("Settings that are not allowed throw at connect", async () => {
    await assert.rejects(connect("ws://test/ws", server.options({ keepAliveMs: 0 })), RangeError);
    await assert.rejects(connect("ws://test/ws", server.options({ maxRequests: 40_000 })), RangeError);
    await assert.rejects(connect("ws://test/ws", server.options({ requestTimeoutMs: NaN })), RangeError);
});

test("A login carries name, password and version, and the answer is the client's identity", async () => {
    const [client, socket] = await connected({ clientVersion: "test/1" });
    const login = client.login({ name: "민수", password: "secret" });
    const request = await server.login(socket, 1);
    await login;
    assert.deepEqual([request.name, request.password, request.clientVersion, request.announcesLogout], ["민수", "secret", "test/1", true]);
    assert.equal(client.identity?.playerId, 7n);
});

test("A login that was refused may be tried again on the same connection", async () => {
    const [client, socket] = await connected();
    const refused = client.login({ name: "Min", password: "wrong" });
    const { requestId } = await socket.take(PacketId.C_LOGIN_REQ, (await import("../src/gen/login_pb.js")).CLoginReqSchema);
    socket.deliver(error(requestId, ErrorCode.LOGIN_REFUSED, "Incorrect name or password."));
    await assert.rejects(refused, { name: "ChatError", code: ErrorCode.LOGIN_REFUSED, codeName: "LOGIN_REFUSED" });
    const again = client.login({ name: "Min" });
    await server.login(socket, 1);
    assert.equal((await again).name, "Min");
});

test("Answers reach their requests in whatever order they come", async () => {
    const [client, socket] = await loggedIn();
    const [first, second] = [client.echo(new Uint8Array([1])), client.echo(new Uint8Array([2]))];
    const asked = [await socket.take(PacketId.C_ECHO_REQ, CEchoReqSchema), await socket.take(PacketId.C_ECHO_REQ, CEchoReqSchema)];
    for (const { requestId, message } of asked.reverse()) {
        socket.deliver(packet(PacketId.S_ECHO_RES, requestId, SEchoResSchema, { payload: message.payload }));
    }
    assert.deepEqual([...(await first), ...(await second)], [1, 2]);
});

test("A request without an answer ends after its time, and its late answer is ignored", async () => {
    const [client, socket] = await loggedIn();
    const echo = client.echo(undefined, { timeoutMs: 1000 });
    const { requestId } = await socket.take(PacketId.C_ECHO_REQ, CEchoReqSchema);
    mock.timers.tick(1000);
    await assert.rejects(echo, RequestTimeoutError);
    socket.deliver(packet(PacketId.S_ECHO_RES, requestId, SEchoResSchema, {}));
    assert.equal(client.state, "connected");
});

test("An AbortSignal stops waiting, also one that was aborted before", async () => {
    const [client, socket] = await loggedIn();
    const abort = new AbortController();
    const echo = client.echo(undefined, { signal: abort.signal });
    await socket.take(PacketId.C_ECHO_REQ, CEchoReqSchema);
    abort.abort(new Error("enough"));
    await assert.rejects(echo, { message: "enough" });
    await assert.rejects(client.echo(undefined, { signal: abort.signal }), { message: "enough" });
    await turn();
    assert.ok(!socket.has(PacketId.C_ECHO_REQ));
});

test("The answer to a join that was given up still makes the client a member", async () => {
    const [client, socket] = await loggedIn();
    const joining = client.joinRoom(1n, { timeoutMs: 10 });
    const { requestId } = await socket.take(PacketId.C_JOIN_ROOM_REQ, CJoinRoomReqSchema);
    mock.timers.tick(10);
    await assert.rejects(joining, RequestTimeoutError);
    socket.deliver(server.joined(requestId, 1n, 1n));
    assert.equal(client.room(1n)?.members.length, 2);
});

test("A refusal says when to try again", async () => {
    const [client, socket] = await loggedIn();
    const creating = client.createRoom("lobby");
    const requestId = (await until("a request", () => socket.packets.find((sent) => sent.id === PacketId.C_CREATE_ROOM_REQ))).requestId;
    socket.deliver(error(requestId, ErrorCode.RATE_LIMITED, "Too many.", 700));
    await assert.rejects(creating, (thrown: ChatError) => thrown.retryAfterMs === 700 && thrown.code === ErrorCode.RATE_LIMITED);
});

test("More requests than maxRequests are refused at once", async () => {
    const [client, socket] = await loggedIn({ maxRequests: 2 });
    const waiting = [client.echo(), client.echo()];
    await assert.rejects(client.echo(), { name: "ChatError", code: ErrorCode.SERVER_BUSY });
    const closing = client.close();
    socket.drop(1000);
    await closing;
    await Promise.allSettled(waiting);
});

test("A request is refused while more than maxBufferedBytes wait to be sent", async () => {
    const [client, socket] = await loggedIn({ maxBufferedBytes: 5000 });
    socket.bufferedAmount = 5001;
    await assert.rejects(client.echo(), { name: "ChatError", code: ErrorCode.SERVER_BUSY });
});

test("A request that is larger than the server takes is refused and not sent", async () => {
    const [client, socket] = await loggedIn();
    await assert.rejects(client.echo(new Uint8Array(65_536)), RangeError);
    assert.ok(!socket.has(PacketId.C_ECHO_REQ));
});

test("Heartbeats of the server and of the framework are answered", async () => {
    const [, socket] = await loggedIn();
    socket.packets.length = 0;
    socket.deliver(encodePacket(PacketId.S_HEARTBEAT_NTF, 0, new Uint8Array()), encodePacket(heartbeatPacketId, 1, new Uint8Array()));
    assert.equal((await socket.take(PacketId.C_HEARTBEAT_NTF, CHeartbeatNtfSchema)).requestId, 0);
    assert.deepEqual(socket.packets.map(({ id, requestId }) => [id, requestId]), [[heartbeatPacketId, 0]]);
});

test("Messages are raised in their order, with what is missing before them", async () => {
    const [client, socket] = await inRoom();
    const seen: [string, number][] = [];
    client.on("message", ({ message, missedBefore }) => seen.push([message.text, missedBefore]));
    socket.deliver(chat(1n, 2n, "a"), chat(1n, 3n, "b"));
    socket.deliver(chat(1n, 7n, "c", 6n));
    socket.deliver(chat(1n, 8n, "d"));
    assert.deepEqual(seen, [["a", 0], ["b", 0], ["c", 3], ["d", 0]]);
    assert.equal(client.room(1n)?.latestSequence, 8n);
});

test("A direct message is an event with its player, text and time, for a client in no room", async () => {
    const [client, socket] = await loggedIn();
    const seen: unknown[] = [];
    client.on("direct", ({ message }) => seen.push([message.playerId, message.playerName, message.text, message.sentAtUnixMs]));
    const init = { playerId: 8n, playerName: "Ann", text: "안녕", sentAtUnixMs: 1_700_000_000_123n };
    socket.deliver(packet(PacketId.S_DIRECT_CHAT_NTF, 0, SDirectChatNtfSchema, init));
    assert.deepEqual(seen, [[8n, "Ann", "안녕", 1_700_000_000_123n]]);
});

test("A direct message that was sent on another device is an event with its player and number", async () => {
    const [client, socket] = await loggedIn();
    const seen: unknown[] = [];
    client.on("directSent", ({ message }) => seen.push([message.playerId, message.text, message.number]));
    socket.deliver(packet(PacketId.S_DIRECT_SENT_NTF, 0, SDirectSentNtfSchema, { playerId: 8n, text: "안녕", number: 4n }));
    assert.deepEqual(seen, [[8n, "안녕", 4n]]);
});

test("A direct message goes to its player, and completes when the server has passed it on", async () => {
    const [client, socket] = await loggedIn();
    const sending = client.sendDirect(8n, "안녕");
    const { requestId, message } = await socket.take(PacketId.C_DIRECT_CHAT_REQ, CDirectChatReqSchema);
    assert.deepEqual([message.playerId, message.text], [8n, "안녕"]);
    socket.deliver(packet(PacketId.S_DIRECT_CHAT_RES, requestId, SDirectChatResSchema, { number: 3n }));
    assert.equal((await sending).number, 3n);
});

test("Conversations are listed and read, and players are blocked by name", async () => {
    const [client, socket] = await loggedIn();
    const listing = client.listConversations(5);
    const listed = await socket.take(PacketId.C_LIST_CONVERSATIONS_REQ, CListConversationsReqSchema);
    assert.deepEqual([listed.message.limit, listed.message.before], [5, undefined]);
    const next = { lastAtUnixUs: 7n, playerId: 8n };
    socket.deliver(packet(PacketId.S_LIST_CONVERSATIONS_RES, listed.requestId, SListConversationsResSchema, { blockedPlayerIds: [9n], next }));
    const page = await listing;
    assert.deepEqual(page.blockedPlayerIds, [9n]);
    void client.listConversations(5, page.next).catch(() => undefined);
    const { before } = (await socket.take(PacketId.C_LIST_CONVERSATIONS_REQ, CListConversationsReqSchema)).message;
    assert.deepEqual([before?.lastAtUnixUs, before?.playerId], [7n, 8n]);
    const reading = client.readDirect(8n, { before: 4n });
    const read = await socket.take(PacketId.C_DIRECT_HISTORY_REQ, CDirectHistoryReqSchema);
    assert.deepEqual([read.message.playerId, read.message.position], [8n, { case: "beforeNumber", value: 4n }]);
    socket.deliver(packet(PacketId.S_DIRECT_HISTORY_RES, read.requestId, SDirectHistoryResSchema, { messages: [{ text: "hi", number: 3n }] }));
    assert.equal((await reading).messages[0]?.number, 3n);
    const blocking = client.blockPlayer("Eve", true);
    const blocked = await socket.take(PacketId.C_BLOCK_PLAYER_REQ, CBlockPlayerReqSchema);
    assert.deepEqual([blocked.message.playerId, blocked.message.playerName, blocked.message.unblock], [0n, "Eve", true]);
    socket.deliver(packet(PacketId.S_BLOCK_PLAYER_RES, blocked.requestId, SBlockPlayerResSchema, {}));
    assert.deepEqual((await blocking).blocked, []);
});

test("A direct message to a player that is not connected is refused", async () => {
    const [client, socket] = await loggedIn();
    const sending = client.sendDirect(8n, "hello");
    const { requestId } = await socket.take(PacketId.C_DIRECT_CHAT_REQ, CDirectChatReqSchema);
    socket.deliver(error(requestId, ErrorCode.PLAYER_NOT_CONNECTED, "Ann is not connected."));
    await assert.rejects(sending, { name: "ChatError", code: ErrorCode.PLAYER_NOT_CONNECTED, codeName: "PLAYER_NOT_CONNECTED" });
});

test("Members follow joins and leaves; the client's own join is no event", async () => {
    const [client, socket] = await inRoom();
    const joined: string[] = [];
    client.on("memberJoined", ({ member }) => joined.push(member.name));
    const join = (playerId: bigint, name: string, sequence: bigint): Uint8Array =>
        packet(PacketId.S_JOIN_ROOM_NTF, 0, SJoinRoomNtfSchema, { roomId: 1n, member: { playerId, name }, sequence, previousSequence: sequence - 1n });
    socket.deliver(join(9n, "Bob", 2n), join(7n, "Min", 3n));
    assert.deepEqual(joined, ["Bob"]);
    assert.equal(client.room(1n)?.members.length, 3);
});

test("A notice of an operator is an event without an error", async () => {
    const [client, socket] = await inRoom();
    const notices: [number, string][] = [];
    client.on("notice", ({ code, message }) => notices.push([code, message]));
    socket.deliver(packet(PacketId.S_NOTICE_NTF, 0, SNoticeNtfSchema, { message: "Break at noon." }));
    assert.deepEqual(notices, [[0, "Break at noon."]]);
});

test("A handler that throws disturbs neither the others nor the connection", async (context) => {
    const [client, socket] = await inRoom();
    const reported = context.mock.method(console, "error", () => {});
    let seen = 0;
    client.on("message", () => {
        throw new Error("bug");
    });
    const remove = client.on("message", () => seen++);
    socket.deliver(chat(1n, 2n, "a"));
    remove();
    socket.deliver(chat(1n, 3n, "b"));
    assert.equal(seen, 1);
    assert.equal(reported.mock.callCount(), 2);
    assert.equal(client.state, "connected");
});

test("A packet that the client does not know is ignored", async () => {
    const [client, socket] = await loggedIn();
    socket.deliver(encodePacket(1999, 0, new Uint8Array([1, 2, 3])));
    assert.equal(client.state, "connected");
});

for (const [what, bytes] of [
    ["half a packet", new Uint8Array(5)],
    ["a payload that is no message", encodePacket(PacketId.S_ROOM_CHAT_NTF, 0, new Uint8Array([0xff, 0xff]))],
] as const) {
    test(`A server that sends ${what} is left for good`, async (context) => {
        context.mock.method(console, "error", () => {});
        const [client, socket] = await inRoom();
        const echo = client.echo();
        socket.deliver(bytes);
        await assert.rejects(echo, (thrown: ConnectionClosedError) => thrown.reason === CloseReasons.ProtocolViolation);
        assert.equal((await client.closed).reason, CloseReasons.ProtocolViolation);
    });
}

test("An answer of another kind than the request ends the connection", async () => {
    const [client, socket] = await loggedIn();
    void client.echo().catch(() => {});
    const { requestId } = await socket.take(PacketId.C_ECHO_REQ, CEchoReqSchema);
    socket.deliver(packet(PacketId.S_ROOM_CHAT_RES, requestId, SRoomChatResSchema, {}));
    assert.equal((await client.closed).reason, CloseReasons.ProtocolViolation);
});

test("A message has a number of its own, so that it is never taken twice", async () => {
    const [client, socket] = await inRoom();
    void client.send(1n, "a").catch(() => {});
    void client.send(1n, "b").catch(() => {});
    void client.send(1n, "b", { messageId: 5n }).catch(() => {});
    const ids = [];
    for (let i = 0; i < 3; i++) {
        ids.push((await socket.take(PacketId.C_ROOM_CHAT_REQ, CRoomChatReqSchema)).message.clientMessageId);
    }
    assert.equal(ids[1], BigInt.asUintN(64, ids[0]! + 1n));
    assert.equal(ids[2], 5n);
});

test("close logs out, fails what waits, and is the last event", async () => {
    const [client, socket] = await loggedIn();
    const echo = client.echo();
    const closing = client.close();
    await until("a logout", () => socket.has(PacketId.C_LOGOUT_NTF));
    assert.ok(socket.hasClosed);
    socket.drop(1000);
    await closing;
    await assert.rejects(echo, ConnectionClosedError);
    await assert.rejects(client.echo(), ConnectionClosedError);
    assert.equal((await client.closed).reason, CloseReasons.LocalClose);
    assert.equal(client.state, "closed");
});

test("close does not wait for a server that is silent", async () => {
    const [client] = await loggedIn();
    const closing = client.close();
    mock.timers.tick(2000);
    await closing;
});
