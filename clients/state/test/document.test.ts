import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { StateReplica } from "../src/index.js";

const document = readFileSync(new URL("../../../../proto/STATE.md", import.meta.url), "utf8");

const examples = [...document.matchAll(/^```hex state\n([\s\S]*?)^=> (\d+) (\{.*\})\n```/gm)].map(([, lines, revision, json]) => ({
    bytes: Uint8Array.from(lines!.split("\n")
        .flatMap((line) => line.split("   ")[0]!.match(/^(?:[0-9a-f]{2} ?)+$/)?.[0].trim().split(" ") ?? [])
        .map((pair) => parseInt(pair, 16))),
    revision: Number(revision),
    json: JSON.parse(json!) as unknown,
}));

/** As JSON has it. */
export function plain(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value, (_, item: unknown) =>
        item instanceof Map ? Object.fromEntries(item) as unknown : typeof item === "bigint" ? String(item) : item));
}

test("STATE.md has examples", () => assert.ok(examples.length >= 2, `${examples.length}`));

test("The examples of STATE.md, one after the other, lead to the states that stand there", () => {
    const replica = new StateReplica();
    for (const { bytes, revision, json } of examples) {
        assert.equal(replica.apply(bytes), true);
        assert.equal(replica.revision, revision);
        assert.deepEqual(plain(replica.root), json);
    }
});
