// The dashboard in Chromium against the real server: figures, tables, the token, a server that goes away, axe-core and screenshots.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ChatServer } from "../../testing/server.mjs";
import { launch, screenshots, skip, tcpPlayer } from "../../web/test/harness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const token = "0123456789abcdef";

let server;
let browser;
let players;
let url;
let receiver; // of a webhook; it answers 410, which ends a request, until it is mended
let isMended = false;

before(async () => {
    if (skip) {
        return;
    }
    receiver = createServer((_, response) => response.writeHead(isMended ? 200 : 410).end());
    await new Promise((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const webhook = "--Webhooks:Targets:0";
    [server, browser] = await Promise.all([
        ChatServer.start(
            "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0", `--Operations:Token=${token}`,
            `${webhook}:Url=http://127.0.0.1:${receiver.address().port}/`, `${webhook}:AllowHttp=true`, `${webhook}:AllowPrivateAddresses=true`,
            `${webhook}:Name=shop`, `${webhook}:Secret=whsec_${Buffer.alloc(32).toString("base64")}`),
        launch(),
    ]);
    url = /Operations: +(http\S+)/.exec(server.output)[1];
    players = [await tcpPlayer(server, "민수"), await tcpPlayer(server, "Ann Lee"), await tcpPlayer(server, "Gone")];
    const { roomId } = await players[0].createRoom("lobby");
    await players[1].joinRoom(roomId);
    const { sequence } = await players[0].send(roomId, "buy my honey");
    await players[1].report(roomId, sequence, "advertising");
    for (let i = 0; i < 50; i++) {
        await players[0].send(roomId, `message ${i}`);
    }
    await players.pop().close();
});
after(async () => {
    await Promise.all((players ?? []).map((player) => player.close()));
    await browser?.close();
    await server?.dispose();
    receiver?.close();
});

async function open(options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const problems = [];
    const foreign = [];
    // A violation of the Content-Security-Policy is an error on the console; so is the 401 that makes the page ask for the token.
    page.on("console", (message) => message.type() === "error" && !message.text().includes("401") && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("request", (request) => new URL(request.url()).host !== new URL(url).host && foreign.push(request.url()));
    await page.goto(url);
    return { context, page, problems, foreign };
}

async function login(page, secret = token) {
    await page.getByLabel("Token").fill(secret);
    await page.getByRole("button", { name: "Show the dashboard" }).click();
}

test("the page asks for the token and shows the server at a glance", { skip, timeout: 120_000 }, async () => {
    const { context, page, problems, foreign } = await open();
    await login(page, "not the token at all");
    await page.getByText("The server refused this token.").waitFor();
    await login(page);
    await page.locator('#status[data-level="ok"]').waitFor();
    await page.locator("#status-level", { hasText: "All is well" }).waitFor();
    await page.locator("#rooms td", { hasText: "lobby" }).waitFor();
    await page.locator("#sessions td", { hasText: "민수" }).waitFor();
    await page.locator("#closes td", { hasText: "PeerClosed" }).waitFor();
    await page.locator("#slow", { hasText: "Every client reads fast enough." }).waitFor();
    assert.equal(await page.locator(".card").count(), 10);
    await page.locator(".heat rect").first().waitFor({ state: "attached" });
    await page.getByLabel("Player or address").fill("ann");
    await page.locator("#sessions td", { hasText: "민수" }).waitFor({ state: "detached" });
    await page.locator("#sessions td", { hasText: "Ann Lee" }).waitFor();
    assert.deepEqual(problems, []);
    assert.deepEqual(foreign, []);
    await context.close();
});

test("an operator reads and resolves a report, and has a dead letter sent again", { skip, timeout: 120_000 }, async () => {
    const { context, page, problems } = await open();
    await login(page);
    const report = page.locator("#reports tr", { hasText: "민수: buy my honey" });
    await report.filter({ hasText: "Ann Lee" }).filter({ hasText: "advertising" }).waitFor();
    const letter = page.locator("#dead-letters tr", { hasText: "410" });
    await letter.first().waitFor();
    await page.locator("#webhooks tr", { hasText: "shop" }).waitFor();
    await page.screenshot({ path: `${screenshots}/dashboard-reports.png`, fullPage: true });

    isMended = true;
    await letter.first().getByRole("button", { name: "again" }).click();
    await page.locator("#told", { hasText: "1 dead letters wait to be sent again." }).waitFor();
    await report.getByRole("button", { name: "Resolve report" }).click();
    await page.locator("#told", { hasText: "is resolved." }).waitFor();
    await page.locator("#reports-section").waitFor({ state: "hidden" });
    assert.deepEqual(problems, []);
    await context.close();
});

for (const width of [360, 1280]) {
    for (const colorScheme of ["light", "dark"]) {
        test(`axe-core finds no violation at ${width} px, ${colorScheme}`, { skip, timeout: 120_000 }, async () => {
            const { context, page } = await open({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true }); // axe is put in as a script
            const check = async (state) => {
                await page.screenshot({ path: `${screenshots}/dashboard-${width}-${colorScheme}-${state}.png`, fullPage: true });
                await page.evaluate(axe);
                const { violations } = await page.evaluate(() => window.axe.run());
                assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), [], state);
                const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
                assert.equal(over, 0, `${state} is wider than the screen`);
            };
            await page.getByLabel("Token").waitFor();
            await check("token");
            await login(page);
            await page.locator("#sessions td").first().waitFor();
            await page.locator("#closes td").first().waitFor();
            await check("board");
            await context.close();
        });
    }
}

test("a server that goes away is shown as critical", { skip, timeout: 120_000 }, async () => {
    const { context, page } = await open();
    await login(page);
    await page.locator('#status[data-level="ok"]').waitFor();
    await server.kill();
    await page.locator('#status[data-level="critical"]', { hasText: "No answer" }).waitFor();
    await context.close();
});
