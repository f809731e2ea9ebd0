import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { CDirectChatReqSchema, SDirectChatResSchema } from "../src/gen/direct_pb.js";
import { PacketId } from "../src/gen/packets_pb.js";
import { CLoginReqSchema, CResumeReqSchema } from "../src/gen/login_pb.js";
import { CJoinRoomReqSchema } from "../src/gen/room_pb.js";
import { type ChatClient, ChatError, CloseReasons, ConnectError, type ConnectOptions, ErrorCode, connect } from "../src/index.js";
import { FakeServer, type FakeSocket, error, farewell, packet, until } from "./fakeServer.js";

const urls = ["ws://one/ws", "ws://two/ws", "ws://three/ws"];

let server: FakeServer;

beforeEach(() => {
    server = new FakeServer();
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
});
afterEach(() => mock.timers.reset());

async function loggedIn(options: ConnectOptions = {}): Promise<[ChatClient, FakeSocket]> {
    const connecting = connect(urls, server.options(options));
    const socket = await server.accept();
    const client = await connecting;
    const login = client.login({ name: "Min" });
    await server.login(socket, 1);
    await login;
    return [client, socket];
}

/** The next socket, after the wait before the first attempt. */
async function next(client: ChatClient): Promise<FakeSocket> {
    await until("the break", () => client.state === "reconnecting");
    mock.timers.tick(250);
    return server.accept();
}

test("The client connects to the first server that takes it", async () => {
    const connecting = connect(urls, server.options());
    (await server.attempt()).drop();
    const second = await server.accept();
    await connecting;
    assert.equal(second.url, "ws://two/ws");
});

test("When no server takes it, the connect fails", async () => {
    const connecting = connect(urls, server.options());
    const failed = assert.rejects(connecting, ConnectError);
    for (let i = 0; i < urls.length; i++) {
        (await server.attempt()).drop();
    }
    await failed;
    await assert.rejects(connect([], server.options()), RangeError);
});

test("After a break the client returns to its server first, and then to the next", async () => {
    const [client, socket] = await loggedIn();
    socket.drop();
    await until("the break", () => client.state === "reconnecting");
    mock.timers.tick(250);
    const again = await server.attempt();
    assert.equal(again.url, "ws://one/ws");
    again.drop();
    const other = await server.accept();
    assert.equal(other.url, "ws://two/ws");
    await server.resume(other, { rooms: [] });
    await until("the return", () => client.state === "connected");
});

test("A client leaves a silent server for the next one", async () => {
    const [client] = await loggedIn({ keepAliveMs: 1000 });
    mock.timers.tick(1000); // asked
    mock.timers.tick(1000); // and no answer
    mock.timers.tick(1000);
    const other = await next(client);
    assert.equal(other.url, "ws://two/ws");
    await server.resume(other, { rooms: [] });
    await until("the return", () => client.state === "connected");
});

test("A client that its server closes for its own silence returns to that server first", async () => {
    const [client, socket] = await loggedIn();
    socket.deliver(farewell(CloseReasons.IdleTimeout, "You were silent.", 0));
    socket.drop(1001);
    assert.equal((await next(client)).url, "ws://one/ws");
});

for (const [what, endpoint, url] of [
    ["the server that it names", "three:7777", "ws://three/ws"],
    ["the next one when it names none", "", "ws://two/ws"],
    ["the next one when it names a server that is not in the list", "four:7777", "ws://two/ws"],
] as const) {
    test(`A client whose server stops resumes on ${what}`, async () => {
        const [client, socket] = await loggedIn();
        socket.deliver(farewell(CloseReasons.ServerShutdown, "Stopping.", 100, endpoint));
        socket.drop(1001);
        const other = await next(client);
        assert.equal(other.url, url);
        await server.resume(other, { rooms: [] });
        await until("the return", () => client.state === "connected");
    });
}

test("A join that is redirected is sent again on the other server", async () => {
    const [client, socket] = await loggedIn();
    const joining = client.joinRoom(7n);
    const asked = await socket.take(PacketId.C_JOIN_ROOM_REQ, CJoinRoomReqSchema);
    socket.deliver(error(asked.requestId, ErrorCode.REDIRECT, "There.", 0, "three:7777"));
    const other = await next(client);
    assert.equal(other.url, "ws://three/ws");
    await server.resume(other, { rooms: [] });
    const again = await other.take(PacketId.C_JOIN_ROOM_REQ, CJoinRoomReqSchema);
    other.deliver(server.joined(again.requestId, 7n, 1n));
    assert.equal((await joining).roomId, 7n);
});

test("A request that is sent at most once is redirected all the same: nothing of it was done", async () => {
    const [client, socket] = await loggedIn();
    const sending = client.sendDirect(8n, "hello");
    const asked = await socket.take(PacketId.C_DIRECT_CHAT_REQ, CDirectChatReqSchema);
    socket.deliver(error(asked.requestId, ErrorCode.REDIRECT, "There.", 0, "three:7777"));
    const other = await next(client);
    await server.resume(other, { rooms: [] });
    const again = await other.take(PacketId.C_DIRECT_CHAT_REQ, CDirectChatReqSchema);
    other.deliver(packet(PacketId.S_DIRECT_CHAT_RES, again.requestId, SDirectChatResSchema, {}));
    await sending;
});

test("A login that is redirected is sent again on the other server", async () => {
    const connecting = connect(urls, server.options());
    const socket = await server.accept();
    const client = await connecting;
    const login = client.login({ name: "Min" });
    const asked = await socket.take(PacketId.C_LOGIN_REQ, CLoginReqSchema);
    socket.deliver(error(asked.requestId, ErrorCode.REDIRECT, "There.", 0, "two:7777"));
    const other = await next(client);
    assert.equal(other.url, "ws://two/ws");
    await server.login(other, 1);
    assert.equal((await login).name, "Min");
    assert.equal(client.state, "connected");
});

test("A resume that is redirected is tried on the other server", async () => {
    const [client, socket] = await loggedIn();
    socket.drop();
    const same = await next(client);
    const asked = await same.take(PacketId.C_RESUME_REQ, CResumeReqSchema);
    same.deliver(error(asked.requestId, ErrorCode.REDIRECT, "There.", 0, "three:7777"));
    await until("another attempt", () => server.sockets.length === 3 || (mock.timers.tick(500), undefined));
    const other = await server.accept();
    assert.equal(other.url, "ws://three/ws");
    await server.resume(other, { rooms: [] });
    await until("the return", () => client.state === "connected");
});

test("A snapshot that is redirected is resumed on the other server", async () => {
    const [earlier] = await loggedIn();
    const snapshot = earlier.snapshot()!;
    const connecting = connect(urls, server.options());
    const socket = await server.accept();
    const client = await connecting;
    const resuming = client.resume(snapshot);
    const asked = await socket.take(PacketId.C_RESUME_REQ, CResumeReqSchema);
    assert.equal(asked.message.followsRedirects, true);
    socket.deliver(error(asked.requestId, ErrorCode.REDIRECT, "There.", 0, "three:7777"));
    const other = await next(client);
    assert.equal(other.url, "ws://three/ws");
    assert.deepEqual((await server.resume(other, { rooms: [] })).token, asked.message.token);
    assert.deepEqual(await resuming, { rooms: [], recovered: true });
    assert.equal(client.identity?.name, "Min");
    assert.deepEqual([...other.packets.map((packet) => packet.id)], [PacketId.C_HEARTBEAT_NTF]);
});

test("Servers that name each other end the resume of a snapshot", async () => {
    const [earlier] = await loggedIn();
    const connecting = connect(urls, server.options());
    let present = await server.accept();
    const client = await connecting;
    const failed = assert.rejects(client.resume(earlier.snapshot()!), { code: ErrorCode.REDIRECT });
    for (let i = 0; i < 4; i++) {
        const asked = await present.take(PacketId.C_RESUME_REQ, CResumeReqSchema);
        present.deliver(error(asked.requestId, ErrorCode.REDIRECT, "There.", 0, "two:1"));
        if (i < 3) {
            present = await next(client);
        }
    }
    await failed;
    assert.equal(client.identity, undefined);
});

test("Servers that name each other end the request and not the client", async () => {
    const [client, socket] = await loggedIn();
    const joining = client.joinRoom(7n);
    const failed = assert.rejects(joining, (why) => why instanceof ChatError && why.code === ErrorCode.REDIRECT && why.endpoint === "two:1");
    let present = socket;
    for (let i = 0; i < 4; i++) {
        const asked = await present.take(PacketId.C_JOIN_ROOM_REQ, CJoinRoomReqSchema);
        present.deliver(error(asked.requestId, ErrorCode.REDIRECT, "There.", 0, "two:1"));
        if (i < 3) {
            present = await next(client);
            await server.resume(present, { rooms: [] });
            await until("the return", () => client.state === "connected");
        }
    }
    await failed;
    assert.equal(client.state, "connected");
});
