// The pages of docs/how-to/browser-client.md in Chromium, as they stand there, against a real server.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { GameServer, isBuilt } from "../../../testing/gameServer.mjs";
import { launch, skip as noChromium } from "../../../web/test/harness.mjs";

const skip = noChromium || (isBuilt ? false : "The server is not built. Run: dotnet build tests/PlayChat.GameServer");
const guide = readFileSync(new URL("../../../../docs/how-to/browser-client.md", import.meta.url), "utf8");
const blocks = (language) => [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, code]) => code);

let browser;
let folder;

before(async () => {
    if (!skip) {
        folder = mkdtempSync(join(tmpdir(), "playchat-pages-"));
        browser = await launch();
    }
});
after(async () => {
    await browser?.close();
    if (folder !== undefined) {
        rmSync(folder, { recursive: true });
    }
});

/** Writes a file of the page. */
function write(name, text) {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
}

async function open(url) {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(60_000); // a hang, not a slow machine
    page.problems = [];
    page.on("pageerror", (error) => page.problems.push(String(error)));
    await page.goto(url);
    return page;
}

async function say(page, text) {
    await page.locator("input").fill(text);
    await page.getByRole("button", { name: "Send" }).click();
}

const sees = (page, line) => page.locator("li", { hasText: line }).last().waitFor();

async function talk(url) {
    const [ann, bob] = [await open(url), await open(url)];
    await say(ann, "");
    await sees(ann, "A name has 1 to 20 characters.");
    for (const [page, name] of [[ann, "Ann"], [bob, "Bob"]]) {
        await say(page, name);
        await sees(page, "You are in.");
    }
    await say(ann, "안녕 👋");
    await Promise.all([sees(ann, "Ann: 안녕 👋"), sees(bob, "Ann: 안녕 👋")]);
    return [ann, bob];
}

test("The page without a library joins, talks, answers heartbeats, and shows why it was closed", { skip, timeout: 120_000 }, async () => {
    const [html] = blocks("html");
    assert.ok(html.split("\n").length <= 36, "the page is short");
    const server = await GameServer.start(`page=${write("plain.html", html)}`, "heartbeat=1000", "idle=3000");
    try {
        const [ann, bob] = await talk(server.url);
        const silent = await (await open(server.url)).evaluate((url) => new Promise((resolve) => {
            new WebSocket(url, "playchat.v1.json").onclose = ({ code, reason }) => resolve(`${code} ${reason}`);
        }), server.webSocketUrl);
        assert.equal(silent, "4006 IdleTimeout"); // the pages have said nothing for as long, and stayed
        await say(bob, "still here");
        await sees(ann, "Bob: still here");
        await server.stop();
        await sees(ann, "Closed: 4008 ServerShutdown");
        assert.deepEqual([ann.problems, bob.problems], [[], []]);
    } finally {
        await server.stop();
    }
});

test("The page with @playchat/core talks, and is back after a restart of the server", { skip, timeout: 120_000 }, async () => {
    const [, html] = blocks("html");
    const { outputFiles } = await build({
        stdin: { contents: blocks("ts")[0], loader: "ts", resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
        bundle: true,
        format: "esm",
        write: false,
    });
    const server = await GameServer.start(`page=${write("page.html", html)}`, `script=${write("game.js", outputFiles[0].text)}`);
    try {
        const [ann, bob] = await talk(server.url);
        await server.stop();
        await Promise.all([sees(ann, "The connection has broken."), sees(bob, "The connection has broken.")]);
        const entered = (page) => page.locator("li", { hasText: "You are in." }).nth(1).waitFor();
        await server.restart();
        await Promise.all([entered(ann), entered(bob)]);
        await say(bob, "welcome back");
        await sees(ann, "Bob: welcome back");
        assert.deepEqual([ann.problems, bob.problems], [[], []]);
    } finally {
        await server.stop();
    }
});
