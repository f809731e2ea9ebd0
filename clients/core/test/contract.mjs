// What a client of @playchat/core keeps, in Node and in Chromium, against tests/PlayChat.GameServer: the statements of
// tests/PlayChat.ClientContract, without those about certificates and frames of TCP, which are the browser's.
import {
    ConnectError, ConnectionClosedError, GameClient, RequestFailedError, RequestTimeoutError, TooManyRequestsError, closeReasonName, json, raw,
} from "@playchat/core";
import { StateReplica } from "@playchat/state";

const Join = json(1, "Join");
export const Say = json(2, "Say");
const Said = json(3, "Said");
const Joined = json(4, "Joined");
const ComeBack = json(5, "ComeBack");
const Back = json(6, "Back");
export const Roll = json(7, "Roll");
export const Rolled = json(8, "Rolled");
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
const Moment = raw(21, "Moment"); // google.protobuf.Timestamp
const Board = raw(22, "Board");

/** One run of a statement: makes clients, and closes them at its end. */
export class ContractRun {
    #host;
    #clients = [];

    /**
     * @param host Has `server(...args)`, the address of a server with these arguments; `proxy(address)`, one in front of it; and
     * `cut(proxy)`, `silence(proxy)` and `close(proxy)`. In a browser they are in another process, so all are asynchronous.
     * @param WebSocket The class of the runtime, or of a package.
     */
    constructor(host, WebSocket) {
        this.#host = host;
        this.WebSocket = WebSocket;
    }

    server(...args) {
        return this.#host.server(...args);
    }

    async proxy(...args) {
        const url = await this.#host.proxy(await this.server(...args));
        return { url, cut: () => this.#host.cut(url), silence: () => this.#host.silence(url), close: () => this.#host.close(url) };
    }

    async make(options = {}, url = undefined) {
        const client = new GameClient(
            url ?? await this.server(), { webSocket: this.WebSocket, failures: [Problem], reconnectDelayMs: 10, ...options });
        this.#clients.push(client);
        return client;
    }

    async connected(options, url) {
        const client = await this.make(options, url);
        await client.connect();
        return client;
    }

    async dispose() {
        await Promise.all(this.#clients.map((client) => client.close()));
    }
}

/** Joins the lobby, or a table; after a break it comes back to its seat, and the server says whether anything is missing. */
export const session = (name, seat) => ({
    enter: async (entry) => {
        const joined = entry.resume !== undefined
            ? await entry.request(ComeBack, { ...entry.resume, revision: seat?.state.revision }, Joined)
            : seat === undefined ? await entry.request(Join, { name }, Joined)
            : await entry.request(Sit, { name, table: seat.table }, Joined);
        if (joined.refusal !== undefined) {
            throw new Error(joined.refusal);
        }
        return { token: joined.token, recovered: entry.resume !== undefined && (await entry.next(Back)).recovered };
    },
});

/** The texts that a client hears, `count` of them. */
export function texts(client, count) {
    const heard = [];
    return new Promise((resolve) => client.handle(Said, ({ text }) => heard.push(text) === count && resolve(heard)));
}

export const raised = (client, name) => new Promise((resolve) => client.on(name, resolve));

const handled = (client, packet) => new Promise((resolve) => client.handle(packet, resolve));

function equal(actual, expected) {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (is !== should) {
        throw new Error(`It is ${is}, and should be ${should}.`);
    }
}

/** Awaits an error of a class, and returns it. */
async function rejects(promise, type = Error) {
    try {
        await promise;
    } catch (error) {
        if (error instanceof type) {
            return error;
        }
        throw error;
    }
    throw new Error(`There was no ${type.name}.`);
}

/** The statements by their names. */
export const statements = {
    "Requests are answered, or fail with the server's message": async (run) => {
        const client = await run.connected();
        equal(await client.request(Roll, { sides: 6 }, Rolled), { number: 6 });
        equal((await rejects(client.request(Roll, { sides: 0 }, Rolled), RequestFailedError)).answer, { code: "NoSides" });
        const numbers = Array.from({ length: 100 }, (_, i) => i + 1);
        equal(await Promise.all(numbers.map((sides) => client.request(Roll, { sides }, Rolled))), numbers.map((number) => ({ number })));
    },

    "Another packet than the awaited one fails the request": async (run) => {
        const client = await run.connected();
        const { message } = await rejects(client.request(Join, { name: "" }, Rolled), RequestFailedError);
        equal(message, "The server answered Join (1) with packet 4 in place of Rolled.");
        equal(await client.request(Roll, { sides: 2 }, Rolled), { number: 2 });
    },

    "A request without an answer times out, or is given up": async (run) => {
        const client = await run.connected({ maxRequests: 1 });
        await rejects(client.request(Ignore, {}, Rolled, { timeoutMs: 1 }), RequestTimeoutError);
        const giveUp = new AbortController();
        const ignored = client.request(Ignore, {}, Rolled, { signal: giveUp.signal });
        await rejects(client.request(Roll, { sides: 3 }, Rolled), TooManyRequestsError);
        giveUp.abort();
        equal((await rejects(ignored)).name, "AbortError");
        equal(await client.request(Roll, { sides: 3 }, Rolled), { number: 3 });
    },

    "Raw and protobuf packets go through unchanged": async (run) => {
        const client = await run.connected();
        for (const picture of [Uint8Array.from({ length: 30_000 }, (_, i) => i), new Uint8Array()]) {
            equal([...await client.request(Picture, picture, Picture)], [...picture]);
        }
        const moment = Uint8Array.of(0x08, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x10, 7); // seconds 2^32 - 1, nanos 7
        equal([...await client.request(Moment, moment, Moment)], [...moment]);
    },

    "The server asks, and the client replies": async (run) => {
        const client = await run.connected();
        client.handle(Question, ({ text }, reply) => reply(Answer, { text: `${text}!` }));
        equal(await client.request(AskMe, { text: "안녕" }, Answer), { text: "안녕!" });
    },

    "Players talk, and all hear the same order": async (run) => {
        const [ann, bob] = [await run.connected(session("Ann")), await run.connected(session("Bob"))];
        const heard = Promise.all([texts(ann, 40), texts(bob, 40)]);
        for (let i = 0; i < 20; i++) {
            equal([ann.send(Say, { text: `a${i}` }), bob.send(Say, { text: `b${i}` })], [true, true]);
        }
        const [first, second] = await heard;
        equal(first, second);
        equal(first.filter((text) => text.startsWith("a")), Array.from({ length: 20 }, (_, i) => `a${i}`));
    },

    "A refusal of the server is thrown by connect": async (run) => {
        equal((await rejects((await run.make(session(""))).connect())).message, "A name has 1 to 20 characters.");
    },

    "A server that is not there is a failed connect": async (run) => {
        const proxy = await run.proxy();
        await proxy.close();
        await rejects((await run.make({}, proxy.url)).connect(), ConnectError);
    },

    "After a break the client resumes with recovered, and hears what was said meanwhile, once and in order": async (run) => {
        const proxy = await run.proxy();
        const [ann, bob] = [await run.connected(session("Ann"), proxy.url), await run.connected(session("Bob"))];
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
        const gone = handled(bob, Gone);
        const back = raised(ann, "reconnected");
        await proxy.cut();
        await gone; // what is said before the server knows of the break is sent to the dead connection, so Ann would have missed it
        bob.send(Say, { text: "three" });
        bob.send(Say, { text: "four" });
        await back;
        const five = hears("five");
        bob.send(Say, { text: "five" });
        await five;
        equal(log, ["one", "two", { recovered: true }, "three", "four", "five"]);
    },

    "Without the server's replay the client resumes, and recovered is false": async (run) => {
        const proxy = await run.proxy("replay=0");
        const ann = await run.connected(session("Ann"), proxy.url);
        const { token } = ann.resume;
        const back = raised(ann, "reconnected");
        await proxy.cut();
        equal(await back, { recovered: false });
        equal(ann.resume.token === token, false);
        const heard = texts(ann, 1);
        ann.send(Say, { text: "still a member" });
        equal(await heard, ["still a member"]);
    },

    "A request that was sent before a break fails": async (run) => {
        const proxy = await run.proxy();
        const client = await run.connected({}, proxy.url);
        const failure = rejects(client.request(Ignore, {}, Rolled), ConnectionClosedError);
        await client.request(Roll, { sides: 1 }, Rolled); // both have arrived
        await proxy.cut();
        await failure;
    },

    "A request that is made during a break goes out on the next connection": async (run) => {
        const proxy = await run.proxy();
        const client = await run.connected({}, proxy.url);
        const rolled = new Promise((resolve, reject) => client.on(
            "reconnecting", () => client.request(Roll, { sides: 5 }, Rolled).then(resolve, reject)));
        await proxy.cut();
        equal(await rolled, { number: 5 });
    },

    "The reason for which the server closes ends the client": async (run) => {
        for (const [name, send] of [
            ["UnknownPacket", (client) => client.send(json(500), {})],
            ["ProtocolViolation", (client) => client.send(Roll, { sides: "six" })],
            ["TakenOver", (client) => client.send(CloseMe, { reason: "TakenOver" })],
            ["LocalClose", (client) => client.send(CloseMe, { reason: "LocalClose" })],
            ["FrameTooLarge", (client) => client.send(Picture, new Uint8Array(1_000_000))],
        ]) {
            const client = await run.connected();
            equal(send(client), true);
            equal(closeReasonName((await client.closed).reason), name);
            equal(client.state, "closed");
            await rejects(client.request(Roll, { sides: 1 }, Rolled), ConnectionClosedError);
        }
    },

    "A quiet client answers heartbeats and stays": async (run) => {
        const url = await run.server("heartbeat=1000", "idle=2000");
        const quiet = await run.connected({ keepAliveMs: Infinity }, url);
        const silent = new run.WebSocket(url, "playchat.v1"); // answers nothing
        const { code, reason } = await new Promise((resolve) => {
            silent.onclose = resolve;
        });
        equal([code, reason], [4006, "IdleTimeout"]);
        equal(quiet.state, "connected");
        equal(await quiet.request(Roll, { sides: 3 }, Rolled), { number: 3 });
    },

    "A state follows its room: a snapshot, patches, and what a break has missed": async (run) => {
        for (const args of [[], ["replay=0"]]) {
            const proxy = await run.proxy(...args);
            const [state, table] = [new StateReplica(), String(Math.random())];
            const ann = await run.make(session("Ann", { table, state }), proxy.url);
            const bob = await run.make(session("Bob", { table, state: new StateReplica() }), await run.server(...args));
            bob.handle(Board, () => {});
            let now = "";
            const changes = new EventTarget(); // of what Ann's copy shows
            ann.handle(Board, (message) => {
                state.apply(message);
                const { moves, pieces, notes } = state.root;
                now = [moves, ...[...pieces].sort().map(([name, { x }]) => `${name}=${x}`), ...notes].join(" ");
                changes.dispatchEvent(new Event("change"));
            });
            const shows = (text) => new Promise((resolve) => {
                const look = () => now === text && resolve();
                changes.addEventListener("change", look);
                look();
            });
            const gone = handled(bob, Gone);
            await bob.connect();
            bob.send(Move, { x: 0.25, note: "a" });
            await ann.connect();
            await shows("1 Ann=0 Bob=0.25 a");
            const piece = state.root.pieces.get("Bob");
            bob.send(Move, { x: 0.5, note: "b" });
            await shows("2 Ann=0 Bob=0.5 a b");
            const back = raised(ann, "reconnected");
            await proxy.cut();
            await gone;
            bob.send(Move, { x: 0.75, note: "c" });
            bob.send(Move, { x: 1, note: "d" });
            await back;
            ann.send(Move, { x: 2, note: "e" });
            await shows("5 Ann=2 Bob=1 a b c d e");
            equal((await ann.request(Look, {}, Looked)).board, now);
            equal(state.root.pieces.get("Bob") === piece, true); // over the break the pieces are the same
        }
    },

    "A server that the network has swallowed is noticed by its silence": async (run) => {
        const proxy = await run.proxy();
        const ann = await run.connected({ ...session("Ann"), keepAliveMs: 100 }, proxy.url);
        const breaks = raised(ann, "reconnecting");
        const back = raised(ann, "reconnected");
        await proxy.silence();
        equal(closeReasonName((await breaks).reason), "IdleTimeout");
        await back;
    },
};
