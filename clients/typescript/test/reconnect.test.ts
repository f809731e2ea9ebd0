import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { create, fromBinary } from "@bufbuild/protobuf";
import { encodePacket, heartbeatPacketId } from "@playchat/core/parts";
import { CEchoReqSchema, CHeartbeatNtfSchema, SEchoResSchema } from "../src/gen/connection_pb.js";
import { CDirectChatReqSchema, SDirectChatResSchema } from "../src/gen/direct_pb.js";
import { CChangePasswordReqSchema, CEndDeviceReqSchema, SEndDeviceResSchema } from "../src/gen/device_pb.js";
import { CLoginReqSchema, CResumeReqSchema, SLoginResSchema } from "../src/gen/login_pb.js";
import { PacketId } from "../src/gen/packets_pb.js";
import {
    CCreateRoomReqSchema, CJoinRoomReqSchema, CLeaveRoomReqSchema, CReadMarkNtfSchema, CRoomChatReqSchema, CRoomHistoryReqSchema,
    CTypingNtfSchema, RoomTermsSchema, SRoomChatResSchema, SRoomHistoryResSchema, SJoinRoomNtfSchema, SRoomStateNtfSchema,
} from "../src/gen/room_pb.js";
import {
    type ChatClient, CloseReasons, ConnectionClosedError, ErrorCode, type LoginTokenStore, type NetworkSignals, type ReconnectedEvent,
    type ReconnectingEvent, closeReasonName, connect,
} from "../src/index.js";
import type { ConnectOptions } from "../src/options.js";
import { decodeSnapshot, encodeSnapshot } from "../src/snapshot.js";
import { FakeServer, type FakeSocket, chat, error, farewell, packet, turn, until } from "./fakeServer.js";

let server: FakeServer;
let log: string[];
let recoveries: ReconnectedEvent[];
let attempts: ReconnectingEvent[];

beforeEach(() => {
    server = new FakeServer();
    log = [];
    recoveries = [];
    attempts = [];
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
});
afterEach(() => mock.timers.reset());

function observe(client: ChatClient): void {
    client.on("message", ({ message, missedBefore }) => log.push(missedBefore === 0 ? message.text : `${message.text}, ${missedBefore} missed`));
    client.on("reconnecting", (event) => attempts.push(event));
    client.on("reconnected", (event) => {
        log.push(event.recovered ? "recovered" : "not recovered");
        recoveries.push(event);
    });
    client.on("closed", ({ reason }) => log.push(`closed ${closeReasonName(reason)}`));
}

/** A client in room 1 that has seen the sequence 1. */
async function inRoom(options: ConnectOptions = {}): Promise<[ChatClient, FakeSocket]> {
    const connecting = connect("ws://test/ws", server.options(options));
    const socket = await server.accept();
    const client = await connecting;
    observe(client);
    const login = client.login({ name: "Min", password: "secret" });
    await server.login(socket, 1);
    await login;
    const joining = client.joinRoom(1n);
    const { requestId } = await socket.take(PacketId.C_JOIN_ROOM_REQ, CJoinRoomReqSchema);
    socket.deliver(server.joined(requestId, 1n, 1n));
    await joining;
    return [client, socket];
}

/** Breaks the connection, and lets the time before the next attempt pass. */
async function reconnect(socket: FakeSocket, ms = 250): Promise<FakeSocket> {
    const before = attempts.length;
    socket.drop();
    await until("an attempt", () => attempts.length > before);
    mock.timers.tick(ms);
    return server.accept();
}

const recovered = { roomId: 1n, member: true, recovered: true, latestSequence: 3n, missedMessages: 2 };

test("After a break the client resumes, and what was missed follows once and in order", async () => {
    const [client, socket] = await inRoom();
    const next = await reconnect(socket);
    const request = await server.resume(next, { rooms: [recovered] }, chat(1n, 2n, "a"), chat(1n, 3n, "b"), chat(1n, 4n, "live"));
    assert.deepEqual([...request.token], [1]);
    assert.deepEqual(request.rooms.map((room) => [room.roomId, room.lastSequence]), [[1n, 1n]]);
    await until("the return", () => client.state === "connected");
    assert.deepEqual(log, ["recovered", "a", "b", "live"]);
    assert.equal(recoveries[0]?.rooms[0]?.missedMessages, 2);
    await next.take(PacketId.C_HEARTBEAT_NTF, CHeartbeatNtfSchema); // the used token may be forgotten

    const third = await reconnect(next);
    assert.deepEqual([...(await server.resume(third, { rooms: [recovered] })).token], [2]);
});

for (const restarted of [false, true]) {
    test(`What handlers of the return and of missed messages send goes out; restarted is ${restarted}`, async () => {
        const [client, socket] = await inRoom();
        client.on("reconnected", () => client.sendTyping(1n));
        client.on("message", ({ message }) => client.markRead(1n, message.sequence));
        const next = await reconnect(socket);
        if (restarted) {
            await refuseResume(next);
            await server.login(next, 9);
            await serveRestart(next, 2n, [{ sequence: 2n, text: "a" }]);
        } else {
            await server.resume(next, { rooms: [recovered] }, chat(1n, 2n, "a"));
        }
        await next.take(PacketId.C_TYPING_NTF, CTypingNtfSchema);
        const { message } = await next.take(PacketId.C_READ_MARK_NTF, CReadMarkNtfSchema);
        assert.equal(message.sequence, 2n);
    });
}

test("A room that is not recovered says so before its next message, and never claims otherwise", async () => {
    const [client, socket] = await inRoom();
    const next = await reconnect(socket);
    const state = packet(PacketId.S_ROOM_STATE_NTF, 0, SRoomStateNtfSchema, { roomId: 1n, name: "lobby", members: [], latestSequence: 9n });
    await server.resume(next, { rooms: [{ ...recovered, recovered: false, latestSequence: 9n }] }, state, chat(1n, 10n, "after"));
    await until("the return", () => client.state === "connected");
    assert.deepEqual(log, ["not recovered", "after, 8 missed"]);
    assert.deepEqual(recoveries[0]?.rooms[0], {
        roomId: 1n, name: "lobby", isMember: true, recovered: false, missedMessages: 8, lastSequence: 1n, latestSequence: 9n,
    });
});

test("A room that the player has lost is told and forgotten", async () => {
    const [client, socket] = await inRoom();
    await server.resume(await reconnect(socket), { rooms: [{ roomId: 1n }] });
    await until("the return", () => client.state === "connected");
    assert.equal(recoveries[0]?.rooms[0]?.isMember, false);
    assert.equal(client.room(1n), undefined);
});

test("Requests without an answer are sent again in their order, and those made meanwhile follow", async () => {
    const [client, socket] = await inRoom();
    const first = client.send(1n, "one", { messageId: 11n });
    await socket.take(PacketId.C_ROOM_CHAT_REQ, CRoomChatReqSchema);
    socket.drop();
    await until("an attempt", () => attempts.length > 0);
    const second = client.send(1n, "two", { messageId: 12n });
    mock.timers.tick(250);
    const next = await server.accept();
    assert.ok(!next.has(PacketId.C_ROOM_CHAT_REQ), "nothing goes out before the resume");
    await server.resume(next, { rooms: [recovered] });
    for (const [messageId, sequence] of [[11n, 4n], [12n, 5n]] as const) {
        const { requestId, message } = await next.take(PacketId.C_ROOM_CHAT_REQ, CRoomChatReqSchema);
        assert.equal(message.clientMessageId, messageId);
        next.deliver(packet(PacketId.S_ROOM_CHAT_RES, requestId, SRoomChatResSchema, { sequence, duplicate: messageId === 11n }));
    }
    assert.deepEqual([(await first).sequence, (await second).sequence], [4n, 5n]);
});

/** The direct messages that the servers have seen, on all connections together. */
function directs(): string[] {
    const sent = server.sockets.flatMap((socket) => socket.packets).filter(({ id }) => id === PacketId.C_DIRECT_CHAT_REQ);
    return sent.map(({ payload }) => fromBinary(CDirectChatReqSchema, payload).text);
}

/** Answers the first direct message of a connection, which stays among its packets. */
async function passOn(socket: FakeSocket): Promise<void> {
    const { requestId } = await until("a direct message", () => socket.packets.find(({ id }) => id === PacketId.C_DIRECT_CHAT_REQ));
    socket.deliver(packet(PacketId.S_DIRECT_CHAT_RES, requestId, SDirectChatResSchema, {}));
}

const isReset = (thrown: unknown): boolean => thrown instanceof ConnectionClosedError && thrown.reason === CloseReasons.PeerReset;

test("A direct message that went out before a break fails at once and is not sent again", async () => {
    const [client, socket] = await inRoom();
    const failed = assert.rejects(client.sendDirect(8n, "once"), isReset);
    const chatting = client.send(1n, "again");
    await socket.take(PacketId.C_ROOM_CHAT_REQ, CRoomChatReqSchema);
    socket.drop();
    await failed; // no time passes, so this is before the first attempt
    assert.equal(server.sockets.length, 1);
    mock.timers.tick(250);
    const next = await server.accept();
    await server.resume(next, { rooms: [recovered] });
    const { requestId } = await next.take(PacketId.C_ROOM_CHAT_REQ, CRoomChatReqSchema);
    next.deliver(packet(PacketId.S_ROOM_CHAT_RES, requestId, SRoomChatResSchema, { sequence: 4n }));
    await chatting;
    assert.deepEqual(directs(), ["once"]);
});

test("A new password that went out before a break fails and is not sent again", async () => {
    const [client, socket] = await inRoom();
    const failed = assert.rejects(client.changePassword("secret", "other"), isReset);
    await socket.take(PacketId.C_CHANGE_PASSWORD_REQ, CChangePasswordReqSchema);
    const next = await reconnect(socket);
    await failed;
    await server.resume(next, { rooms: [recovered] });
    await until("the return", () => client.state === "connected");
    assert.ok(!next.has(PacketId.C_CHANGE_PASSWORD_REQ));
});

for (const roomsLast of [false, true]) {
    test(`A new room that went out before a break is sent again unless rooms last; roomsLast is ${roomsLast}`, async () => {
        const [client, socket] = await inRoom();
        const first = await reconnect(socket);
        await server.resume(first, { rooms: [{ ...recovered, latestSequence: 1n }], server: { maxFrameBytes: 65_536, roomsLast } });
        await until("the return", () => client.state === "connected");
        const creating = client.createRoom("den");
        const failed = roomsLast ? assert.rejects(creating, isReset) : undefined;
        await first.take(PacketId.C_CREATE_ROOM_REQ, CCreateRoomReqSchema);
        const second = await reconnect(first);
        await failed;
        await server.resume(second, { rooms: [{ ...recovered, latestSequence: 1n }] });
        await until("the return", () => client.state === "connected");
        await turn();
        assert.equal(second.has(PacketId.C_CREATE_ROOM_REQ), !roomsLast);
        creating.catch(() => {});
    });
}

test("A direct message that is made during a break goes out once, on the next connection", async () => {
    const [client, socket] = await inRoom();
    socket.readyState = 2; // the link is closing, and its end has not been told yet
    const first = client.sendDirect(8n, "one");
    socket.drop();
    await until("an attempt", () => attempts.length > 0);
    const failed = assert.rejects(client.sendDirect(8n, "two"), isReset);
    mock.timers.tick(250);
    const next = await server.accept();
    assert.deepEqual(directs(), [], "nothing goes out before the resume");
    await server.resume(next, { rooms: [recovered] });
    await passOn(next);
    await first;
    const third = await reconnect(next); // "two" had gone out
    await failed;
    await server.resume(third, { rooms: [recovered] });
    const echo = client.echo();
    const asked = await third.take(PacketId.C_ECHO_REQ, CEchoReqSchema);
    third.deliver(packet(PacketId.S_ECHO_RES, asked.requestId, SEchoResSchema, {}));
    await echo;
    assert.deepEqual(directs(), ["one", "two"]);
});

test("A direct message that waits while the client logs in again goes out once", async () => {
    const [client, socket] = await inRoom();
    socket.drop();
    await until("an attempt", () => attempts.length > 0);
    const sending = client.sendDirect(8n, "hello");
    mock.timers.tick(250);
    const next = await server.accept();
    await refuseResume(next);
    await server.login(next, 9);
    await serveRestart(next, 3n, [{ sequence: 2n, text: "a" }, { sequence: 3n, text: "b" }]);
    await passOn(next);
    await sending;
    assert.deepEqual(directs(), ["hello"]);
});

test("A direct message that waits when the client is closed fails with LocalClose", async () => {
    const [client, socket] = await inRoom();
    const failed = assert.rejects(client.sendDirect(8n, "hello"), { reason: CloseReasons.LocalClose });
    const closing = client.close();
    socket.drop(1000);
    await closing;
    await failed;
});

test("A leave that was under way is not resumed and completes", async () => {
    const [client, socket] = await inRoom();
    const leaving = client.leaveRoom(1n);
    await socket.take(PacketId.C_LEAVE_ROOM_REQ, CLeaveRoomReqSchema);
    const request = await server.resume(await reconnect(socket), { rooms: [] });
    await leaving;
    assert.equal(request.rooms.length, 0);
    assert.equal(client.room(1n), undefined);
});

/** Answers the steps of a restart; the history of the room has the given messages. */
async function serveRestart(
    next: FakeSocket, latestSequence: bigint, history: { sequence: bigint; text: string }[], complete = true,
): Promise<void> {
    const join = await next.take(PacketId.C_JOIN_ROOM_REQ, CJoinRoomReqSchema);
    next.deliver(server.joined(join.requestId, 1n, latestSequence), chat(1n, latestSequence + 1n, "live"));
    if (latestSequence < 50_000_000n) {
        const read = await next.take(PacketId.C_ROOM_HISTORY_REQ, CRoomHistoryReqSchema);
        assert.deepEqual(read.message.position, { case: "afterSequence", value: 1n });
        const messages = history.map((message) => ({ ...message, roomId: 1n, playerId: 8n }));
        next.deliver(packet(PacketId.S_ROOM_HISTORY_RES, read.requestId, SRoomHistoryResSchema, { roomId: 1n, messages, complete }));
    }
    const echo = await next.take(PacketId.C_ECHO_REQ, CEchoReqSchema);
    next.deliver(packet(PacketId.S_ECHO_RES, echo.requestId, SEchoResSchema, {}));
}

async function refuseResume(next: FakeSocket): Promise<void> {
    const { requestId } = await next.take(PacketId.C_RESUME_REQ, CResumeReqSchema);
    next.deliver(error(requestId, ErrorCode.RESUME_REFUSED));
}

test("A client whose session is gone logs in again, joins its rooms and reads what was missed", async () => {
    const [client, socket] = await inRoom();
    const unknown = client.send(1n, "sent before");
    await socket.take(PacketId.C_ROOM_CHAT_REQ, CRoomChatReqSchema);
    const next = await reconnect(socket);
    await refuseResume(next);
    assert.equal((await server.login(next, 9)).password, "secret");
    await serveRestart(next, 3n, [{ sequence: 2n, text: "a" }, { sequence: 3n, text: "b" }]);
    await until("the return", () => client.state === "connected");
    assert.deepEqual(log, ["recovered", "a", "b", "live"]);
    await assert.rejects(unknown, ConnectionClosedError);
});

test("A history with a hole makes the room not recovered", async () => {
    const [client, socket] = await inRoom();
    const next = await reconnect(socket);
    await refuseResume(next);
    await server.login(next, 9);
    await serveRestart(next, 3n, [{ sequence: 3n, text: "b" }], false);
    await until("the return", () => client.state === "connected");
    assert.deepEqual(log, ["not recovered", "live, 2 missed"]);
});

test("A room of a killed server is never recovered: what was said last may be lost", async () => {
    const [client, socket] = await inRoom();
    const next = await reconnect(socket);
    await server.resume(next, { restored: true });
    await serveRestart(next, 50_000_010n, []);
    await until("the return", () => client.state === "connected");
    assert.deepEqual(log, ["not recovered", "live"]);
    assert.equal(recoveries[0]?.rooms[0]?.missedMessages, 0);
});

function join(playerId: bigint, name: string, sequence: bigint): Uint8Array {
    const message = { roomId: 1n, member: { playerId, name }, sequence, previousSequence: sequence - 1n };
    return packet(PacketId.S_JOIN_ROOM_NTF, 0, SJoinRoomNtfSchema, message);
}

function joinsOf(client: ChatClient): string[] {
    const joins: string[] = [];
    client.on("memberJoined", ({ member, returned }) => joins.push(`${member.name} ${returned ? "returned" : "joined"}`));
    return joins;
}

test("After a restart of the server members that were there before return, and others join", async () => {
    const [client, socket] = await inRoom();
    const joins = joinsOf(client);
    socket.deliver(join(9n, "Bob", 2n));
    const next = await reconnect(socket);
    await server.resume(next, { restored: true });
    const { requestId } = await next.take(PacketId.C_JOIN_ROOM_REQ, CJoinRoomReqSchema);
    next.deliver(server.joined(requestId, 1n, 2n), join(9n, "Bob", 3n)); // Ann is there already
    const echo = await next.take(PacketId.C_ECHO_REQ, CEchoReqSchema);
    next.deliver(packet(PacketId.S_ECHO_RES, echo.requestId, SEchoResSchema, {}));
    await until("the return", () => client.state === "connected");
    next.deliver(join(10n, "Carl", 4n), join(8n, "Ann", 5n), join(9n, "Bob", 6n));
    assert.deepEqual(joins, ["Bob joined", "Bob returned", "Carl joined", "Ann joined", "Bob joined"]);
});

test("A member that comes more than two minutes after a restart of the server joins", async () => {
    const [client, socket] = await inRoom({ keepAliveMs: Infinity });
    const joins = joinsOf(client);
    socket.deliver(join(9n, "Bob", 2n), join(10n, "Carl", 3n));
    const next = await reconnect(socket);
    await server.resume(next, { restored: true });
    await serveRestart(next, 50_000_010n, []);
    await until("the return", () => client.state === "connected");
    mock.timers.setTime(Date.now() + 119_999);
    next.deliver(join(9n, "Bob", 50_000_012n));
    await until("Bob", () => joins.length === 3);
    mock.timers.setTime(Date.now() + 1);
    next.deliver(join(10n, "Carl", 50_000_013n));
    await until("Carl", () => joins.length === 4);
    assert.deepEqual(joins, ["Bob joined", "Carl joined", "Bob returned", "Carl joined"]);
});

test("An attempt that fails on its way is repeated as a whole", async () => {
    const [client, socket] = await inRoom();
    const next = await reconnect(socket);
    await refuseResume(next);
    await server.login(next, 9);
    await next.take(PacketId.C_JOIN_ROOM_REQ, CJoinRoomReqSchema);
    const third = await reconnect(next, 500);
    await server.login(third, 10); // no resume: the session of the failed attempt knows nothing of the rooms
    await serveRestart(third, 2n, [{ sequence: 2n, text: "a" }]);
    await until("the return", () => client.state === "connected");
    assert.deepEqual(log, ["recovered", "a", "live"]);
});

test("A restored session without a login is resumed again when the attempt fails on its way", async () => {
    const [earlier] = await inRoom();
    const connecting = connect("ws://test/ws", server.options());
    const socket = await server.accept();
    const client = await connecting;
    observe(client);
    const resuming = client.resume(earlier.snapshot()!);
    await server.resume(socket, { rooms: [{ ...recovered, latestSequence: 1n, missedMessages: 0 }] });
    await resuming;
    const next = await reconnect(socket);
    await server.resume(next, { restored: true });
    await next.take(PacketId.C_JOIN_ROOM_REQ, CJoinRoomReqSchema);
    const third = await reconnect(next, 500);
    const again = await server.resume(third, {}); // the session of the failed attempt, which leaves what that has joined
    await serveRestart(third, 2n, [{ sequence: 2n, text: "a" }]);
    await until("the return", () => client.state === "connected");
    assert.deepEqual([[...again.token], again.rooms], [[3], []]);
    assert.deepEqual(log, ["recovered", "a", "live"]);
});

test("A login that registers nobody and takes over from nobody does neither when it is repeated", async () => {
    const connecting = connect("ws://test/ws", server.options());
    const socket = await server.accept();
    const client = await connecting;
    client.on("reconnecting", (event) => attempts.push(event));
    const login = client.login({ name: "Min", noRegistration: true, noTakeover: true });
    const first = await server.login(socket, 1);
    await login;
    const next = await reconnect(socket);
    await refuseResume(next);
    const again = await server.login(next, 2);
    assert.deepEqual([first.noRegistration, first.noTakeover], [true, true]);
    assert.deepEqual([again.name, again.noRegistration, again.noTakeover], ["Min", true, true]);
});

/** A store in memory, whose locks are counted. */
class Store implements LoginTokenStore {
    token: string | undefined;
    locks = 0;
    load = (): string | undefined => this.token;
    save = (token: string | undefined): void => void (this.token = token);
    lock = <T>(work: () => Promise<T>): Promise<T> => {
        this.locks++;
        return work();
    };
}

const tokenOf = (store: Store): number => atob(store.token ?? "").charCodeAt(0);

function loggedIn(requestId: number, token: number[]): Uint8Array {
    const answer = { playerId: 7n, name: "Min", resumeToken: new Uint8Array([9]), loginToken: new Uint8Array(token) };
    return packet(PacketId.S_LOGIN_RES, requestId, SLoginResSchema, answer);
}

async function kept(store: Store): Promise<[ChatClient, FakeSocket]> {
    const connecting = connect("ws://test/ws", server.options());
    const socket = await server.accept();
    const client = await connecting;
    client.on("reconnecting", (event) => attempts.push(event));
    client.on("reconnected", (event) => recoveries.push(event));
    const login = client.login({ name: "Min", password: "secret", keep: store, mustRegister: true });
    const { requestId, message: payload } = await socket.take(PacketId.C_LOGIN_REQ, CLoginReqSchema);
    assert.deepEqual([payload.keep, payload.mustRegister, payload.password], [true, true, "secret"]);
    socket.deliver(loggedIn(requestId, [1]));
    await login;
    return [client, socket];
}

test("A client that stays logged in logs in again by the token of its store, and keeps no password", async () => {
    const store = new Store();
    const [client, socket] = await kept(store);
    assert.deepEqual([tokenOf(store), client.staysLoggedIn], [1, true]);
    store.token = btoa("\u0005"); // another tab has logged in by it

    const next = await reconnect(socket);
    const { requestId } = await next.take(PacketId.C_RESUME_REQ, CResumeReqSchema);
    next.deliver(error(requestId, ErrorCode.RESUME_REFUSED));
    const again = await next.take(PacketId.C_LOGIN_REQ, CLoginReqSchema);
    next.deliver(loggedIn(again.requestId, [2]));
    const echo = await next.take(PacketId.C_ECHO_REQ, CEchoReqSchema);
    next.deliver(packet(PacketId.S_ECHO_RES, echo.requestId, SEchoResSchema, {}));
    await until("the return", () => recoveries.length > 0);

    assert.deepEqual([again.message.loginToken, again.message.password, again.message.mustRegister], [new Uint8Array([5]), undefined, false]);
    assert.deepEqual([tokenOf(store), store.locks], [2, 1]);
    void client.close();
});

test("A token that is refused is forgotten, and so is one at the user's wish", async () => {
    const store = new Store();
    const [client, socket] = await kept(store);
    const forgotten = client.forgetDevice();
    assert.deepEqual([store.token, client.staysLoggedIn], [undefined, false]);
    const end = await socket.take(PacketId.C_END_DEVICE_REQ, CEndDeviceReqSchema);
    assert.equal(end.message.deviceId, 0n);
    socket.deliver(packet(PacketId.S_END_DEVICE_RES, end.requestId, SEndDeviceResSchema, {}));
    await forgotten;
    void client.close();

    const connecting = connect("ws://test/ws", server.options());
    const other = await server.accept();
    const second = await connecting;
    await assert.rejects(second.loginByToken(store), { code: ErrorCode.LOGIN_TOKEN_REFUSED });
    store.token = btoa("\u0001");
    const login = second.loginByToken(store);
    const { requestId } = await other.take(PacketId.C_LOGIN_REQ, CLoginReqSchema);
    other.deliver(error(requestId, ErrorCode.LOGIN_TOKEN_REFUSED));
    await assert.rejects(login, { code: ErrorCode.LOGIN_TOKEN_REFUSED });
    assert.equal(store.token, undefined);
    void second.close();
});

test("A session that was taken over ends and does not come back", async () => {
    const [client, socket] = await inRoom();
    socket.deliver(farewell(CloseReasons.TakenOver, "Min has logged in from elsewhere."));
    socket.drop(4011);
    const { reason, message } = await client.closed;
    assert.equal(reason, CloseReasons.TakenOver);
    assert.equal(message, "Min has logged in from elsewhere.");
    assert.equal(attempts.length, 0);
});

test("The close code alone says as much as the packet before it", async () => {
    const [client, socket] = await inRoom();
    socket.drop(4011);
    assert.equal((await client.closed).reason, CloseReasons.TakenOver);
});

test("A server that stops for good ends the session", async () => {
    const [client, socket] = await inRoom();
    socket.deliver(farewell(CloseReasons.ServerShutdown, "The server is stopping."));
    socket.drop(4008);
    assert.equal((await client.closed).reason, CloseReasons.ServerShutdown);
});

test("A server that restarts is given the time it asked for, whatever the page does", async () => {
    const network = new FakeNetwork();
    const [, socket] = await inRoom({ network });
    socket.deliver(farewell(CloseReasons.ServerShutdown, "The server is stopping.", 4000));
    socket.drop(4008);
    await until("an attempt", () => attempts.length === 1);
    assert.equal(attempts[0]?.delayMs, 4000);
    network.change();
    mock.timers.tick(3999);
    await turn();
    assert.equal(server.sockets.length, 1);
    mock.timers.tick(1);
    await server.resume(await server.accept(), { rooms: [recovered] });
    await until("the return", () => recoveries.length === 1);
});

test("A client that was closed because it sent too much comes back after the longest wait", async () => {
    const [, socket] = await inRoom();
    socket.drop(4000 + CloseReasons.RateLimited);
    await until("an attempt", () => attempts.length === 1);
    assert.equal(attempts[0]?.delayMs, 5000);
});

test("Without reconnect a break is the end", async () => {
    const [client, socket] = await inRoom({ reconnect: false });
    socket.drop();
    assert.equal((await client.closed).reason, CloseReasons.PeerReset);
});

test("A client gives up after reconnectTimeoutMs", async () => {
    const [client, socket] = await inRoom({ reconnectTimeoutMs: 1000 });
    socket.drop();
    for (let failed = 0; client.state !== "closed"; failed++) {
        assert.ok(failed < 10);
        await until("an attempt", () => attempts.length > failed || client.state === "closed");
        mock.timers.tick(5000);
        await turn();
        if (server.sockets.length > failed + 1) {
            server.sockets[failed + 1]!.drop();
        }
        await turn();
    }
    assert.ok(attempts.length >= 1);
});

test("close ends the attempts", async () => {
    const [client, socket] = await inRoom();
    socket.drop();
    await until("an attempt", () => attempts.length === 1);
    await client.close();
    assert.equal((await client.closed).reason, CloseReasons.LocalClose);
});

class FakeNetwork implements NetworkSignals {
    online = true;
    readonly #handlers = new Set<() => void>();

    subscribe(changed: () => void): () => void {
        this.#handlers.add(changed);
        return () => this.#handlers.delete(changed);
    }

    get subscribers(): number {
        return this.#handlers.size;
    }

    change(): void {
        this.#handlers.forEach((changed) => changed());
    }
}

test("While the system is offline the client waits, and it tries at once when the network is back", async () => {
    const network = new FakeNetwork();
    const [, socket] = await inRoom({ network });
    network.online = false;
    socket.drop();
    await until("an attempt", () => attempts.length === 1);
    assert.equal(attempts[0]?.online, false);
    mock.timers.tick(29_999);
    await turn();
    assert.equal(server.sockets.length, 1);
    network.online = true;
    network.change();
    await server.resume(await server.accept(), { rooms: [recovered] });
    await until("the return", () => recoveries.length === 1);
});

test("A page that is shown again asks for a sign of life, and a dead link is left after keepAliveMs", async () => {
    const network = new FakeNetwork();
    const [, socket] = await inRoom({ network, keepAliveMs: 10_000 });
    network.change();
    assert.ok(socket.packets.some((sent) => sent.id === heartbeatPacketId && sent.requestId === 1));
    mock.timers.tick(10_000);
    await until("an attempt", () => attempts.length === 1);
    assert.equal(attempts[0]?.reason, CloseReasons.IdleTimeout);
});

test("A link that answers is kept, and a silent one is left after twice keepAliveMs", async () => {
    const [client, socket] = await inRoom({ keepAliveMs: 1000 });
    for (let i = 0; i < 5; i++) {
        socket.packets.length = 0;
        mock.timers.tick(1000);
        assert.ok(socket.packets.some((sent) => sent.id === heartbeatPacketId), `probe ${i}`);
        mock.timers.tick(900);
        socket.deliver(encodePacket(heartbeatPacketId, 0, new Uint8Array()));
        mock.timers.tick(100);
        assert.equal(socket.packets.length, 1, "it asks after a whole period of silence, and not before");
        mock.timers.tick(900); // and then it asks
        socket.deliver(encodePacket(heartbeatPacketId, 0, new Uint8Array()));
    }
    assert.equal(client.state, "connected");
    mock.timers.tick(1000);
    mock.timers.tick(1000);
    await until("an attempt", () => attempts.length === 1);
});

test("A client that has ended listens to nothing any more", async () => {
    const network = new FakeNetwork();
    const [client, socket] = await inRoom({ network });
    socket.drop(4011);
    await client.closed;
    assert.equal(network.subscribers, 0);
});

test("A snapshot resumes the session in another client, with its rooms and members", async () => {
    const [client] = await inRoom();
    const snapshot = client.snapshot()!;
    const connecting = connect("ws://test/ws", server.options());
    const socket = await server.accept();
    const other = await connecting;
    const resuming = other.resume(snapshot);
    const request = await server.resume(socket, { rooms: [recovered] }, chat(1n, 2n, "a"), chat(1n, 3n, "b"));
    assert.deepEqual(request.rooms.map((room) => [room.roomId, room.lastSequence]), [[1n, 1n]]);
    assert.equal((await resuming).recovered, true);
    assert.equal(other.identity?.name, "Min");
    assert.deepEqual(other.room(1n)?.members.map((member) => member.name), ["Min", "Ann"]);
    assert.equal(other.room(1n)?.latestSequence, 3n);
});

test("A snapshot keeps what moderators have set, and one of an earlier version has less of it", () => {
    const terms = create(RoomTermsSchema, { topic: "bears", slowModeSeconds: 5, capacity: 10, hasPassword: true, locked: true });
    const room = { roomId: 1n, name: "den", members: [], latestSequence: 3n, epoch: 0, terms };
    const text = encodeSnapshot({ token: new Uint8Array(32), rooms: [room] });
    assert.deepEqual(decodeSnapshot(text).rooms, [room]);
    const earlier = text.replace(",10,true,true]", "]");
    assert.deepEqual(decodeSnapshot(earlier).rooms[0]?.terms, create(RoomTermsSchema, { topic: "bears", slowModeSeconds: 5 }));
});

test("A snapshot that the server does not know leaves a client that can log in", async () => {
    const [client] = await inRoom();
    const connecting = connect("ws://test/ws", server.options());
    const socket = await server.accept();
    const other = await connecting;
    const resuming = other.resume(client.snapshot()!);
    await refuseResume(socket);
    await assert.rejects(resuming, { code: ErrorCode.RESUME_REFUSED });
    assert.equal(other.rooms.length, 0);
    const login = other.login({ name: "Min" });
    await socket.take(PacketId.C_LOGIN_REQ, CLoginReqSchema).then(({ message }) => assert.equal(message.name, "Min"));
    void login.catch(() => {});
});

test("A text that is no snapshot is a SyntaxError", async () => {
    const connecting = connect("ws://test/ws", server.options());
    await server.accept();
    const client = await connecting;
    for (const text of ["", "{}", "[1]", '{"v":1,"token":3,"rooms":[]}']) {
        await assert.rejects(client.resume(text), SyntaxError, text);
    }
});
