// The generated client of tests/PlayChat.GameServer against that server, whose address is the argument.
import assert from "node:assert/strict";
import WebSocket from "ws";
import { Answer, Back, Client, Ignore, Rolled, isProblem } from "./gen/client.js";

const url = process.argv[2]!;
const make = (name: string): Client => new Client(url, {
    webSocket: WebSocket as never,
    reconnectDelayMs: 10,
    enter: async ({ resume, next, requestJoin, requestComeBack }) => {
        const joined = resume === undefined
            ? await requestJoin({ name })
            : await requestComeBack({ token: resume.token, framesReceived: BigInt(resume.framesReceived) });
        if (joined.refusal !== undefined) {
            throw new Error(joined.refusal);
        }
        return { token: joined.token, recovered: resume !== undefined && (await next(Back)).recovered };
    },
});

const ann = make("ann");
const heard = new Promise<string>((resolve) => ann.onSaid(({ name, text }) => resolve(`${name}: ${text}`)));
ann.onQuestion(({ text }, reply) => reply(Answer, { text: `${text}!` }));
await ann.connect();
assert.ok(ann.sendSay({ text: "안녕" }));
assert.equal(await heard, "ann: 안녕");
assert.deepEqual(await ann.requestRoll({ sides: 6 }), { number: 6 });
assert.deepEqual(await ann.requestAskMe({ text: "what" }), { text: "what!" });
await ann.requestRoll({ sides: 0 }).then(() => assert.fail("no failure"), (error: unknown) => {
    assert.ok(isProblem(error));
    assert.equal(error.answer.code, "NoSides");
});
await assert.rejects(make("").connect(), { message: "A name has 1 to 20 characters." });

// What the typed methods send is what the plain ones do.
await assert.rejects(ann.request(Ignore, {}, Rolled, { timeoutMs: 1 }), { name: "RequestTimeoutError" });

// A break: another client with the same session takes over, as a page that is loaded again does.
const { resume } = ann;
await ann.close();
assert.equal(typeof resume?.token, "string");
console.log("played");
