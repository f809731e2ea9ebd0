// The sample Territory in Chromium: its page, its server and this package, as a player has them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, screenshots, skip as noChromium } from "../../../web/test/harness.mjs";

const program = fileURLToPath(new URL("../../../../samples/Territory/bin/Debug/net8.0/Territory.dll", import.meta.url));
const skip = noChromium || (existsSync(program) ? false : "The sample is not built. Run: tools/pack && dotnet build samples/Territory");

let folder;
let server;
let browser;
let url;

before(async () => {
    if (skip) {
        return;
    }
    folder = mkdtempSync(join(tmpdir(), "territory-"));
    server = spawn("dotnet", [program, "--port", "0", "--bots", "4", "--scores", join(folder, "scores.db")], { stdio: ["ignore", "pipe", "inherit"] });
    [browser, url] = await Promise.all([launch(), new Promise((resolve, reject) => {
        let output = "";
        server.stdout.setEncoding("utf8").on("data", (chunk) => {
            output += chunk;
            const address = /http:\/\/\S+\//.exec(output);
            if (address !== null) {
                resolve(address[0]);
            }
        });
        server.once("exit", (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
    })]);
});
after(async () => {
    await browser?.close();
    if (server?.exitCode === null) {
        const exited = new Promise((resolve) => server.once("exit", resolve));
        server.kill();
        await exited;
    }
    if (folder !== undefined) {
        rmSync(folder, { recursive: true });
    }
});

async function open() {
    const context = await browser.newContext({ viewport: { width: 1000, height: 760 } });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000); // a hang, not a slow machine
    const problems = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(url);
    return { context, page, problems };
}

/** Waits until a function of the replica, in the page, is true. */
function until(page, condition, argument) {
    return page.waitForFunction(condition, argument);
}

test("A player steers its dot, a spectator sees it, and both count the same cells", { skip, timeout: 120_000 }, async () => {
    const ann = await open();
    const eve = await open();
    await ann.page.getByLabel("Name").fill("Ann");
    await ann.page.getByRole("button", { name: "Play" }).click();
    await ann.page.getByText("You wait for other players").waitFor();
    await eve.page.getByRole("button", { name: "Watch" }).click();
    const nameIsThere = () => [...window.territory.root?.players.values() ?? []].some((player) => player.name === "Ann");
    await Promise.all([until(ann.page, nameIsThere), until(eve.page, nameIsThere)]);
    await ann.page.getByText("You are Ann, ").waitFor();
    const xOfAnn = () => [...window.territory.root.players.values()].find((player) => player.name === "Ann").x;
    const start = await eve.page.evaluate(xOfAnn);
    const picture = await eve.page.locator("#field").screenshot();

    const key = start < 16 ? "ArrowRight" : "ArrowLeft";
    await ann.page.keyboard.down(key);
    const hasMoved = (from) => Math.abs([...window.territory.root.players.values()].find((player) => player.name === "Ann").x - from) > 3;
    await until(eve.page, hasMoved, start);
    await ann.page.keyboard.up(key);

    await until(eve.page, () => window.territory.root.cells.size > 3);
    assert.notDeepEqual(await eve.page.locator("#field").screenshot({ path: `${screenshots}/territory.png` }), picture);
    assert.equal(await eve.page.evaluate(() => window.territory.root.players.size), 5, "four bots and Ann; a spectator is no player");
    assert.deepEqual([ann.problems, eve.problems], [[], []]);

    await ann.context.close();
    await until(eve.page, () => [...window.territory.root.players.values()].some((player) => player.name === "Ann" && player.isAway));
    await eve.context.close();
});
