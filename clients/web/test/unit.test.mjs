// Parts of the page that need no browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const { outputFiles } = await build({
    stdin: {
        contents: 'export * from "@playchat/client"; export * from "./src/commands.js"; export * from "./src/errors.js"; '
            + 'export { mentions } from "./src/text.js"; export { moderationsOf } from "./src/moderation.js";',
        resolveDir: fileURLToPath(new URL("..", import.meta.url)),
    },
    bundle: true,
    format: "esm",
    write: false,
});
const { ChatError, ErrorCode, RoomRole, adviseOption, describe, mentions, moderationsOf, readLine } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);

test("A refusal is told in the server's words, and by its code where the server has none", () => {
    const told = (code, message, retryAfterMs = 0) => describe(new ChatError(code, message, retryAfterMs));
    for (const code of Object.values(ErrorCode).filter(Number.isInteger)) {
        assert.equal(told(code, "This ticket was used. Get a new one.", 5000), "This ticket was used. Get a new one.");
    }
    assert.equal(told(ErrorCode.SERVER_BUSY, "", 2000), "The server refused this without a reason (SERVER_BUSY). Try again in 2 seconds.");
    assert.equal(told(ErrorCode.LOGIN_REFUSED, ""), "The server refused this without a reason (LOGIN_REFUSED). Try again later.");
});

test("An option of the console client is refused, and a name with hyphens is not", () => {
    assert.match(adviseOption("trivia --type quiz"), /^The page has no option --type\. Leave it out\./);
    assert.match(adviseOption("--with level=easy"), /^The page has no option --with\./);
    for (const option of ["--private", "--capacity 5", "--password word"]) {
        assert.match(adviseOption(`trivia ${option}`), new RegExp(`^The page has no option ${option.split(" ")[0]}\\. Leave it out\\. The dialog`));
    }
    assert.equal(adviseOption("the -- best --types"), undefined);
});

test("A menu offers what the reader's role allows", () => {
    const { MEMBER, MODERATOR, OWNER } = RoomRole;
    const offered = (own, role, isMuted) => moderationsOf(own, { playerId: 7n, role }, isMuted).map(([label]) => label).join(", ");
    assert.equal(offered(MEMBER, MEMBER, false), "");
    assert.equal(offered(MODERATOR, MODERATOR, false), "");
    assert.equal(offered(OWNER, OWNER, false), "");
    assert.equal(offered(MODERATOR, MEMBER, false), "Mute for 10 minutes, Mute for an hour, Kick, Ban");
    assert.equal(offered(OWNER, MEMBER, true), "Unmute, Kick, Ban, Make moderator");
    assert.equal(offered(OWNER, MODERATOR, false), "Mute for 10 minutes, Mute for an hour, Kick, Ban, Make member");
    assert.match(offered(OWNER, MEMBER, undefined), /Mute for an hour, Unmute/);
    assert.ok(moderationsOf(OWNER, { playerId: 7n, role: MEMBER }, undefined).every(([, { playerId }]) => playerId === 7n));
});

test("A line that begins with what looks like a slash is never said", () => {
    for (const start of ["", " ", "\u3000", "\u200b", "\u202e\u2060", "\ufeff \u200e", "\u0015\u001b", "\u3164\ufe0f"]) {
        for (const slash of ["/", "\u2044", "\u2215", "\uff0f"]) {
            assert.deepEqual(readLine(`${start}${slash}Msg\tAnn hi `), { command: "/msg", argument: "Ann hi" });
            assert.deepEqual(readLine(`${start}${slash}me\u3000waves`), { say: "*waves*" });
            assert.deepEqual(readLine(`${start}/${slash}join`), { say: `${slash}join` });
        }
    }
    for (const text of ["hello /join", "\u200d\u2640", "hello\n/join", ".\uff0fjoin"]) {
        assert.deepEqual(readLine(text), { say: text });
    }
});

test("A mention is what the server counts as one: @ and the whole name, and not where it begins the longer name of another member", () => {
    const members = ["Ann", "Ann Lee", "Bob"].map((name) => ({ name }));
    const mentioned = (text) => members.filter(({ name }) => mentions(text, name, members)).map(({ name }) => name);
    for (const [text, ...names] of [
        ["ann, hi"], ["@ann, hi", "Ann"], ["mail@ANN!", "Ann"], ["(@ann)", "Ann"], ["@Anna"], ["@ann_1"], ["@ann7"], ["@ann-1"], ["@ann's"],
        ["@ Ann"], ["@@ann", "Ann"], ["@ann@bob", "Ann", "Bob"], ["hi\n@ann\nlee", "Ann"], ["@ann lee?", "Ann Lee"], ["@Ann Leeds", "Ann"],
        ["@ann lee and @ann", "Ann", "Ann Lee"], [`${"@".repeat(10)}bob`, "Bob"], [`${"@".repeat(11)}bob`],
    ]) {
        assert.deepEqual(mentioned(text), names, text);
    }
    for (const [text, name] of [["@Zoe\u0308!", "Zo\u00eb"], ["@ZO\u00cb: hi", "Zoe\u0308"], ["@\u1106\u1175\u11ab\u1109\u116e", "\ubbfc\uc218"]]) {
        assert.ok(mentions(text, name, []), text);
    }
    assert.ok(!mentions("@Zoe\u0308", "Zoe", []));
    assert.ok(!mentions("@", "", []));
});

test("The help has every command", () => {
    const read = (file) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
    const find = (file, pattern) => [...read(file).matchAll(pattern)].map(([, command]) => command);
    const commands = [...find("src/chatView.ts", /case "(\/\w+)"/g), ...find("src/moderation.ts", /^ {4}"(\/\w+)": ModerationAction/gm)];
    assert.ok(commands.length > 12);
    const listed = [...read("static/index.html").matchAll(/<dt>.*?<\/dt>/g)].flatMap(([row]) => [...row.matchAll(/<code>(\S+?)[ <]/g)]).map(([, word]) => word);
    assert.deepEqual([...new Set(listed)].sort(), [...commands, "/me", "//text"].sort());
});
