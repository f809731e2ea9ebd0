import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import WebSocket from "ws";
import {
    type ClientOptions, CloseReasons, ConnectError, ConnectionClosedError, GameClient, MalformedPacketError, RequestFailedError,
    RequestTimeoutError, TooManyRequestsError, closeReasonName, json, raw,
} from "../src/index.js";
import { heartbeatPacketId } from "../src/parts.js";
import { type Peer, ScriptedServer } from "./scriptedServer.js";

const Join = json<{ name: string }>(1, "Join");
const Joined = json<{ token: string; recovered?: boolean }>(2, "Joined");
const Resume = json<{ token: string; framesReceived: number }>(3, "Resume");
const Said = json<{ text: string }>(4, "Said");
const Problem = json<{ code: string }>(9, "Problem");
const Picture = raw(20, "Picture");

const timeout = 30_000; // a guard, not a measure
let server: ScriptedServer;
let clients: GameClient[];

beforeEach(async () => {
    server = await ScriptedServer.start();
    clients = [];
    mock.method(console, "error", () => {});
    mock.method(console, "warn", () => {});
});
afterEach(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server.dispose();
    mock.restoreAll();
});

function client(options: ClientOptions<string> = {}): GameClient {
    const made = new GameClient(server.url, { webSocket: WebSocket as never, reconnectDelayMs: 1, maxReconnectDelayMs: 1, ...options });
    clients.push(made);
    return made;
}

async function connected(options: ClientOptions<string> = {}): Promise<[GameClient, Peer]> {
    const made = client(options);
    const [, peer] = await Promise.all([made.connect(), server.accept()]);
    return [made, peer];
}

/** Joins on the first connection, and resumes on each later one. */
const session: ClientOptions<string> = {
    enter: (entry) => entry.resume === undefined
        ? entry.request(Join, { name: "Min" }, Joined)
        : entry.request(Resume, entry.resume, Joined),
};

async function joined(options: ClientOptions<string> = session): Promise<[GameClient, Peer]> {
    const made = client(options);
    const connecting = made.connect();
    const peer = await server.accept();
    const { id, requestId } = await peer.next();
    assert.equal(id, Join.id);
    peer.send([Joined.id, requestId, { token: "a" }]);
    await connecting;
    return [made, peer];
}

const read = (payload: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(payload));
const raised = <TName extends "reconnecting" | "reconnected" | "closed">(of: GameClient, name: TName) =>
    new Promise<Parameters<Parameters<typeof of.on<TName>>[1]>[0]>((resolve) => of.on(name, resolve));
const heard = (of: GameClient): Promise<string> => new Promise((resolve) => of.handle(Said, ({ text }) => resolve(text)));

test("The client offers the subprotocol of binary packets", { timeout }, async () => {
    await connected();
    assert.deepEqual(server.protocols, ["playchat.v1"]);
});

test("A server that refuses is a ConnectError, and connect may be repeated", { timeout }, async () => {
    const { url } = server;
    const made = client();
    await server.dispose();
    await assert.rejects(made.connect(), ConnectError);
    assert.equal(made.state, "new");
    await assert.rejects(made.connect(), { name: "ConnectError", message: new RegExp(`Cannot connect to ${url}`) });
    server = await ScriptedServer.start();
});

test("Settings that are not allowed throw at once", () => {
    assert.throws(() => client({ keepAliveMs: NaN }), { name: "RangeError", message: "keepAliveMs is NaN; it must be at least 10." });
    assert.throws(() => client({ maxRequests: 40_000 }), RangeError);
    assert.throws(() => new GameClient([], { webSocket: WebSocket as never }), RangeError);
});

test("Answers find their requests, whatever their order", { timeout }, async () => {
    const [made, peer] = await connected();
    const answers = Promise.all([made.request(Join, { name: "a" }, Joined), made.request(Join, { name: "b" }, Joined)]);
    const [first, second] = [await peer.next(), await peer.next()];
    assert.deepEqual([read(first.payload), read(second.payload)], [{ name: "a" }, { name: "b" }]);
    peer.send([Joined.id, second.requestId, { token: "2" }], [Joined.id, first.requestId, { token: "1" }]);
    assert.deepEqual(await answers, [{ token: "1" }, { token: "2" }]);
});

test("A failure packet fails the request with its message", { timeout }, async () => {
    const [made, peer] = await connected({ failures: [Problem] });
    const request = made.request(Join, { name: "a" }, Joined);
    const { requestId } = await peer.next();
    peer.send([Problem.id, requestId, { code: "NoRoom" }]);
    await assert.rejects(request, (error) => {
        assert.ok(error instanceof RequestFailedError);
        assert.deepEqual([error.answer, error.packetId], [{ code: "NoRoom" }, Problem.id]);
        assert.equal(error.message, "The server answered Join (1) with Problem.");
        return true;
    });
});

test("Another packet than the awaited one fails the request", { timeout }, async () => {
    const [made, peer] = await connected();
    const request = made.request(Join, { name: "a" }, Joined);
    const { requestId } = await peer.next();
    peer.send([77, requestId, {}]);
    await assert.rejects(request, { name: "RequestFailedError", message: "The server answered Join (1) with packet 77 in place of Joined." });
    assert.equal(made.state, "connected");
});

test("A malformed answer fails its request alone", { timeout }, async () => {
    const [made, peer] = await connected();
    const request = made.request(Join, { name: "a" }, Joined);
    peer.send([Joined.id, (await peer.next()).requestId, "{"]);
    await assert.rejects(request, MalformedPacketError);
    const text = heard(made);
    peer.send([Said.id, 0, { text: "still here" }]);
    assert.equal(await text, "still here");
});

test("A malformed packet ends the client, which says which packet it was", { timeout }, async () => {
    const [made, peer] = await connected();
    made.handle(Said, () => {});
    peer.send([Said.id, 0, "{"]);
    const { reason, message } = await made.closed;
    assert.equal(closeReasonName(reason), "ProtocolViolation");
    assert.match(message!, /^The packet Said \(4\) is malformed: /);
});

test("Text in place of packets ends the client", { timeout }, async () => {
    const [made, peer] = await connected();
    peer.sendText("{}");
    assert.equal((await made.closed).reason, CloseReasons.ProtocolViolation);
});

test("An answer that does not come is a RequestTimeoutError, and comes too late then", { timeout }, async () => {
    const [made, peer] = await connected();
    await assert.rejects(made.request(Join, { name: "a" }, Joined, { timeoutMs: 1 }), RequestTimeoutError);
    peer.send([Joined.id, (await peer.next()).requestId, { token: "late" }]);
    const request = made.request(Join, { name: "b" }, Joined);
    peer.send([Joined.id, (await peer.next()).requestId, { token: "b" }]);
    assert.deepEqual(await request, { token: "b" });
});

test("An AbortSignal stops waiting", { timeout }, async () => {
    const [made] = await connected();
    const abort = new AbortController();
    const request = made.request(Join, { name: "a" }, Joined, { signal: abort.signal });
    abort.abort();
    await assert.rejects(request, { name: "AbortError" });
});

test("More requests than maxRequests are refused", { timeout }, async () => {
    const [made, peer] = await connected({ maxRequests: 1 });
    const first = made.request(Join, { name: "a" }, Joined);
    await assert.rejects(made.request(Join, { name: "b" }, Joined), TooManyRequestsError);
    peer.send([Joined.id, (await peer.next()).requestId, { token: "1" }]);
    await first;
});

test("A message that cannot be encoded is refused before it is sent", { timeout }, async () => {
    const [made, peer] = await connected();
    const Steer = json<{ dx: number }>(5, "Steer");
    assert.throws(() => made.send(Steer, { dx: NaN }), { message: "Steer: dx is NaN, which JSON cannot hold." });
    await assert.rejects(made.request(Steer, { dx: NaN }, Joined), TypeError);
    made.send(Steer, { dx: 1 });
    assert.deepEqual(read((await peer.next()).payload), { dx: 1 });
});

test("A request of the server goes to the handler and gets its reply, also while a request with the same number waits", { timeout }, async () => {
    const [made, peer] = await connected();
    made.handle(Said, ({ text }, reply) => reply(Said, { text: `${text}?` }));
    const request = made.request(Join, { name: "a" }, Joined);
    const { requestId } = await peer.next();
    peer.send([Said.id, requestId, { text: "who" }]);
    const reply = await peer.next();
    assert.deepEqual([reply.id, reply.requestId, read(reply.payload)], [Said.id, requestId, { text: "who?" }]);
    peer.send([Joined.id, requestId, { token: "1" }]);
    assert.deepEqual(await request, { token: "1" });
});

test("A handler that throws disturbs nothing, and a packet without one is dropped", { timeout }, async () => {
    const [made, peer] = await connected();
    let count = 0;
    const second = new Promise<void>((resolve) => made.handle(Said, () => {
        if (++count === 2) {
            resolve();
        }
        throw new Error("of the application");
    }));
    peer.send([Said.id, 0, { text: "a" }], [66, 0, {}], [66, 0, {}], [Said.id, 0, { text: "b" }]);
    await second;
    assert.equal((console.error as unknown as { mock: { callCount(): number } }).mock.callCount(), 2);
    assert.equal((console.warn as unknown as { mock: { callCount(): number } }).mock.callCount(), 1);
});

test("A packet has one handler, which can be removed", () => {
    const made = client();
    const remove = made.handle(Said, () => {});
    assert.throws(() => made.handle(Said, () => {}), { message: "The packet Said (4) has a handler." });
    remove();
    made.handle(Said, () => {});
});

test("The handler of a raw packet gets its payload", { timeout }, async () => {
    const [made, peer] = await connected();
    const payload = new Promise<Uint8Array>((resolve) => made.handle(Picture, resolve));
    peer.send([Picture.id, 0, new Uint8Array([1, 2, 255])]);
    assert.deepEqual([...await payload], [1, 2, 255]);
});

test("Heartbeats are answered, and are no frames received", { timeout }, async () => {
    const [made, peer] = await joined();
    assert.deepEqual(made.resume, { token: "a", framesReceived: 1 });
    const text = heard(made);
    peer.send([heartbeatPacketId, 1, ""], [heartbeatPacketId, 0, ""], [Said.id, 0, { text: "a" }]);
    await text;
    const { id, requestId } = await peer.next();
    assert.deepEqual([id, requestId], [heartbeatPacketId, 0]);
    assert.deepEqual(made.resume, { token: "a", framesReceived: 2 });
});

test("A server that falls silent is left", { timeout }, async () => {
    const [made] = await joined({ ...session, keepAliveMs: 20 });
    const { reason } = await raised(made, "reconnecting");
    assert.equal(reason, CloseReasons.IdleTimeout);
});

for (const recovered of [true, false]) {
    test(`After a break the client resumes, recovered is ${recovered}, and what was missed follows`, { timeout }, async () => {
        const enter: ClientOptions<string>["enter"] = async (entry) => {
            const { token, recovered: isRecovered } = await session.enter!(entry) as { token: string; recovered?: boolean };
            return { token, recovered: isRecovered };
        };
        const [made, peer] = await joined({ enter });
        const log: unknown[] = [];
        made.on("reconnected", (event) => log.push(event, made.state));
        const texts = new Promise<void>((resolve) => made.handle(Said, ({ text }) => void (log.push(text) === 4 && resolve())));
        peer.send([Said.id, 0, { text: "one" }]);
        peer.break();
        const next = await server.accept();
        const { id, requestId, payload } = await next.next();
        assert.equal(id, Resume.id);
        assert.equal((read(payload) as { token: string }).token, "a");
        next.send([Joined.id, requestId, { token: "b", recovered }], [Said.id, 0, { text: "missed" }]);
        await texts.catch(() => {});
        assert.deepEqual(log.filter((entry) => entry !== "one"), [{ recovered }, "connected", "missed"]);
        assert.deepEqual(made.resume, { token: "b", framesReceived: 2 });
    });
}

test("What is sent by handlers of the return and of packets that waited for it goes out", { timeout }, async () => {
    const [made, peer] = await joined();
    const sent: boolean[] = [];
    made.on("reconnected", () => sent.push(made.send(Said, { text: "back" })));
    made.handle(Said, ({ text }) => sent.push(made.send(Said, { text: `${text}?` })));
    peer.break();
    const next = await server.accept();
    next.send([Joined.id, (await next.next()).requestId, { token: "b" }], [Said.id, 0, { text: "missed" }]);
    assert.deepEqual([read((await next.next()).payload), read((await next.next()).payload)], [{ text: "back" }, { text: "missed?" }]);
    assert.deepEqual(sent, [true, true]);
});

test("A resume tells what was received on the connection that the token came on", { timeout }, async () => {
    const [made, peer] = await joined();
    const text = heard(made);
    peer.send([Said.id, 0, { text: "one" }]);
    await text;
    peer.break();
    const lost = await server.accept();
    assert.deepEqual(read((await lost.next()).payload), { token: "a", framesReceived: 2 });
    lost.break(); // the answer does not arrive
    const next = await server.accept();
    assert.deepEqual(read((await next.next()).payload), { token: "a", framesReceived: 2 });
});

test("During a break one-way packets are dropped, and requests wait", { timeout }, async () => {
    const [made, peer] = await joined();
    const sent = made.request(Join, { name: "sent" }, Joined);
    const repeated = made.request(Join, { name: "repeated" }, Joined, { repeat: true });
    await Promise.all([peer.next(), peer.next()]);
    const breaks = raised(made, "reconnecting");
    peer.break();
    await breaks;
    await assert.rejects(sent, ConnectionClosedError);
    assert.equal(made.state, "reconnecting");
    assert.equal(made.send(Said, { text: "dropped" }), false);
    const waiting = made.request(Join, { name: "waiting" }, Joined);
    const next = await server.accept();
    next.send([Joined.id, (await next.next()).requestId, { token: "b" }]);
    for (const [name, request] of [["repeated", repeated], ["waiting", waiting]] as const) {
        const { requestId, payload } = await next.next();
        assert.deepEqual(read(payload), { name });
        next.send([Joined.id, requestId, { token: name }]);
        assert.deepEqual(await request, { token: name });
    }
});

test("enter can await a packet, also one that came with the answer before", { timeout }, async () => {
    const log: string[] = [];
    const made = client({
        enter: async (entry) => {
            const { text } = await entry.next(Said);
            await entry.request(Join, { name: text }, Joined);
            log.push((await entry.next(Said)).text);
        },
    });
    made.handle(Said, ({ text }) => log.push(text));
    const connecting = made.connect();
    const peer = await server.accept();
    peer.send([Said.id, 0, { text: "challenge" }]);
    const { requestId, payload } = await peer.next();
    assert.deepEqual(read(payload), { name: "challenge" });
    peer.send([Joined.id, requestId, { token: "a" }], [Said.id, 0, { text: "awaited" }], [Said.id, 0, { text: "handled" }]);
    await connecting;
    assert.deepEqual(log, ["awaited", "handled"]);
    assert.equal(made.resume, undefined);
});

test("What enter throws is thrown by connect, and ends the connection", { timeout }, async () => {
    const made = client({ enter: () => Promise.reject(new Error("refused")) });
    const connecting = made.connect();
    const peer = await server.accept();
    await assert.rejects(connecting, { message: "refused" });
    await peer.closed;
    assert.equal(made.state, "new");
});

test("A refused resume ends the client with the error", { timeout }, async () => {
    const enter: ClientOptions<string>["enter"] = (entry) => {
        if (entry.resume !== undefined) {
            throw new Error("The seat is gone.");
        }
        return entry.request(Join, { name: "Min" }, Joined);
    };
    const [made, peer] = await joined({ enter });
    peer.break();
    const { message, error } = await made.closed;
    assert.equal(message, "The seat is gone.");
    assert.ok(error instanceof Error);
    await assert.rejects(made.request(Join, { name: "late" }, Joined), ConnectionClosedError);
    await assert.rejects(made.connect(), { message: "The client is connected, or connects, or has ended. Make another one." });
});

test("A session of an earlier client is resumed", { timeout }, async () => {
    const made = client({ ...session, resume: { token: "old", framesReceived: 7 } });
    const connecting = made.connect();
    const peer = await server.accept();
    const { requestId, payload } = await peer.next();
    assert.deepEqual(read(payload), { token: "old", framesReceived: 7 });
    peer.send([Joined.id, requestId, { token: "new" }]);
    await connecting;
    assert.deepEqual(made.resume, { token: "new", framesReceived: 1 });
});

for (const [code, name] of [[4011, "TakenOver"], [4003, "ProtocolViolation"], [4016, "UnknownPacket"], [1007, "ProtocolViolation"]] as const) {
    test(`The close code ${code} is ${name} and ends the client`, { timeout }, async () => {
        const [made, peer] = await joined();
        peer.close(code, "why");
        const { reason, message } = await made.closed;
        assert.deepEqual([closeReasonName(reason), message], [name, "why"]);
    });
}

for (const [code, name] of [[4008, "ServerShutdown"], [4006, "IdleTimeout"], [1001, "PeerClosed"]] as const) {
    test(`After the close code ${code}, ${name}, the client returns`, { timeout }, async () => {
        const [made, peer] = await joined();
        const breaks = raised(made, "reconnecting");
        peer.close(code);
        assert.equal(closeReasonName((await breaks).reason), name);
        await server.accept();
    });
}

test("A server that announces its return is waited for, whatever the reason", { timeout }, async () => {
    const [made, peer] = await joined();
    made.handle(Said, ({ text }) => made.expectClose(CloseReasons.ServerShutdown, text, 10));
    const breaks = raised(made, "reconnecting");
    peer.send([Said.id, 0, { text: "Back at noon." }]);
    peer.close(4009);
    const { message, delayMs } = await breaks;
    assert.deepEqual([message, delayMs], ["Back at noon.", 10]);
    await server.accept();
});

test("close ends the connection in order", { timeout }, async () => {
    const [made, peer] = await joined();
    await made.close();
    assert.equal(await peer.closed, 1000);
    assert.deepEqual([made.state, (await made.closed).reason], ["closed", CloseReasons.LocalClose]);
});

test("close ends the attempt to connect, and connect runs once", { timeout }, async () => {
    const made = client(session);
    const connecting = made.connect();
    await assert.rejects(made.connect(), { message: "The client is connected, or connects, or has ended. Make another one." });
    const peer = await server.accept();
    await peer.next(); // the join is not answered
    const failed = assert.rejects(connecting, ConnectionClosedError);
    await made.close();
    await failed;
    await peer.closed;
    assert.equal(made.state, "new");

    const again = assert.rejects(made.connect(), ConnectionClosedError); // no link yet
    await made.close();
    await again;
});

test("close ends the attempts to reconnect", { timeout }, async () => {
    const [made, peer] = await joined({ ...session, reconnectDelayMs: 60_000, maxReconnectDelayMs: 60_000 });
    const breaks = raised(made, "reconnecting");
    peer.break();
    await breaks;
    await made.close();
    assert.equal(made.state, "closed");
});

test("Without reconnect a break is the end", { timeout }, async () => {
    const [made, peer] = await joined({ ...session, reconnect: false });
    peer.break();
    assert.equal((await made.closed).reason, CloseReasons.PeerReset);
});

test("With several servers the client goes to the first that takes it", { timeout }, async () => {
    const gone = await ScriptedServer.start();
    const { url } = gone;
    await gone.dispose();
    const made = new GameClient([url, server.url], { webSocket: WebSocket as never });
    clients.push(made);
    await Promise.all([made.connect(), server.accept()]);
    assert.equal(made.state, "connected");
});
