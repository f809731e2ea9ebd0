// Messages of the .NET encoder: tests/PlayChat.State.Tests writes them, with the state after each.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { StateReplica } from "@playchat/state";

const program = fileURLToPath(new URL("../../../../tests/PlayChat.State.Tests/bin/Debug/net8.0/PlayChat.State.Tests.dll", import.meta.url));
const moods = { Calm: 0, Angry: -3 };

/** As the server writes a state down: floats with the digits that a float has, enums by their names. */
function assertSame(value, expected, path) {
    if (typeof expected === "number") {
        assert.equal(Math.fround(Number(value)), Math.fround(expected), path);
    } else if (typeof expected === "string" && typeof value === "number") {
        assert.equal(value, moods[expected], path);
    } else if (expected === null || typeof expected !== "object") {
        assert.equal(value, expected, path);
    } else if (Array.isArray(expected)) {
        assert.equal(value.length, expected.length, path);
        expected.forEach((item, i) => assertSame(value[i], item, `${path}[${i}]`));
    } else {
        const entries = new Map(value instanceof Map ? [...value].map(([key, item]) => [String(key), item]) : Object.entries(value));
        assert.equal(entries.size, Object.keys(expected).length, path);
        for (const [name, item] of Object.entries(expected)) {
            const key = value instanceof Map && moods[name] !== undefined ? String(moods[name]) : name;
            assert.ok(entries.has(key), `${path}.${name}`);
            assertSame(entries.get(key), item, `${path}.${name}`);
        }
    }
}

test("Messages of the server's encoder lead to the states that the server had", () => {
    const folder = mkdtempSync(join(tmpdir(), "playchat-state-"));
    const file = join(folder, "messages.txt");
    const { status, stdout, stderr } = spawnSync("dotnet", [program, "-noLogo", "-noColor", "-class", "*OtherLanguagesTests"], {
        encoding: "utf8", env: { ...process.env, PLAYCHAT_STATE_MESSAGES: file },
    });
    assert.equal(status, 0, `Build it first: dotnet build tests/PlayChat.State.Tests\n${stdout}${stderr}`);
    const lines = readFileSync(file, "utf8").trim().split("\n");
    rmSync(folder, { recursive: true });

    assert.ok(lines.length > 500, `${lines.length}`);
    const replica = new StateReplica();
    for (const [i, line] of lines.entries()) {
        const [hex, revision, json] = line.trim().split(/ (.*?) (.*)/s);
        assert.equal(replica.apply(Uint8Array.from(Buffer.from(hex, "hex"))), true, `line ${i + 1}`);
        assert.equal(replica.revision, Number(revision));
        assertSame(replica.root, JSON.parse(json), `line ${i + 1}: `);
    }
});
