// Recordings in the dashboard in Chromium: a room of a user in the real server is recorded, and its file is shown as a time line.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ChatServer, recordedServer } from "../../testing/server.mjs";
import { launch, screenshots, skip } from "../../web/test/harness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let server;
let browser;
let url;

before(async () => {
    if (!skip) {
        [server, browser] = await Promise.all([
            ChatServer.startProgram(recordedServer, "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0"), launch(),
        ]);
        url = /Operations: +(http\S+)/.exec(server.output)[1];
    }
});
after(async () => {
    await browser?.close();
    await server?.dispose();
});

async function open(path, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB", ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000); // a hang, not a slow machine
    const problems = [];
    // A violation of the Content-Security-Policy is an error on the console.
    page.on("console", (message) => message.type() === "error" && !message.text().includes("400") && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(url + path);
    return { context, page, problems };
}

/** Records the table until both players have done something. */
async function record() {
    const { context, page, problems } = await open("");
    const room = /\((\d+)\)/.exec(await page.locator("#rooms td", { hasText: "table" }).textContent())[1];
    await page.getByLabel("Room (its number)").fill(room);
    await page.getByRole("button", { name: "Record", exact: true }).click();
    await page.locator("#told", { hasText: "for at most 600 seconds and 16777216 bytes." }).waitFor();
    await page.getByRole("link", { name: /^table-/ }).first().click();
    for (const text of [/the join of session \d+ \(Bob\)/, /the end of session \d+ \(Bob\)/, "the job tipped"]) {
        while (!(await page.locator("#events td", { hasText: text }).first().isVisible())) {
            const answered = page.waitForResponse(/events/);
            await page.getByRole("button", { name: "Read again" }).click(); // the recording still runs
            await answered;
        }
    }
    await page.getByRole("link", { name: "Dashboard" }).click();
    await page.getByRole("button", { name: `Stop recording room ${room}` }).click();
    await page.locator("#told", { hasText: /has ended \(Stopped\): \d+ turns/ }).waitFor();
    return { context, page, problems };
}

test("an operator records a room, and reads, filters and downloads what happened", { skip, timeout: 240_000 }, async () => {
    const { context, page, problems } = await record();
    await page.screenshot({ path: `${screenshots}/dashboard-recordings.png`, fullPage: true });
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: /^Download table-/ }).first().click();
    const file = await (await downloading).path();
    assert.equal(readFileSync(file).subarray(0, 3).toString(), "PCR");

    await page.getByRole("link", { name: /^table-/ }).first().click();
    await page.locator("#facts", { hasText: "table (PlayChat.RecordedServer.Table)" }).waitFor();
    await page.locator("#events .kind", { hasText: "sent" }).first().waitFor();
    assert.equal(await page.locator("#events .kind", { hasText: "tick" }).count(), 0); // off at first
    const roll = page.locator("#events details", { hasText: /the handler of Roll from session \d+ \(Ann\)/ }).first();
    await roll.locator("summary").click();
    await roll.locator("pre", { hasText: '"Sides": 6' }).waitFor();
    assert.match(await roll.locator("pre").textContent(), /"Card": ""/);
    assert.doesNotMatch(await page.content(), /4111|5500/);
    await page.locator(".lanes span", { hasText: "(Ann)" }).first().waitFor();
    await page.locator(".lanes rect.player").first().dispatchEvent("click");
    await page.locator("tr.chosen .kind.player").waitFor();
    await page.screenshot({ path: `${screenshots}/dashboard-recording.png`, fullPage: true });

    await page.getByLabel("Ticks").check();
    await page.locator("#events .kind", { hasText: "tick" }).first().waitFor();
    await page.getByLabel("Text, such as").fill("(bob)");
    await page.locator("#events td", { hasText: "the job tipped" }).first().waitFor({ state: "detached" });
    await page.locator("#events td", { hasText: "(Bob)" }).first().waitFor();

    // The same viewer shows a file from disk, also without the recording of a server.
    await page.goto(`${url}recording.html`);
    await page.getByLabel("A recording from disk").setInputFiles(file);
    await page.locator("#events td", { hasText: "the job tipped" }).first().waitFor();
    await page.getByLabel("A recording from disk").setInputFiles({ name: "notes.pcr", mimeType: "", buffer: Buffer.from("# PlayChat") });
    await page.locator("#told", { hasText: "The file is no recording of a room." }).waitFor();
    await page.getByLabel("A recording from disk").setInputFiles({ name: "big.pcr", mimeType: "", buffer: Buffer.alloc(1024 * 1024 + 1) });
    await page.locator("#told", { hasText: "larger than 1 MB" }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
});

for (const [width, colorScheme] of [[360, "dark"], [1280, "light"]]) {
    test(`axe-core finds no violation of the time line at ${width} px, ${colorScheme}`, { skip, timeout: 120_000 }, async () => {
        const { context, page } = await open("", { viewport: { width, height: 800 }, colorScheme, bypassCSP: true }); // axe is put in as a script
        await page.getByRole("link", { name: /^table-/ }).first().click();
        await page.locator("#events td").first().waitFor();
        await page.screenshot({ path: `${screenshots}/dashboard-recording-${width}-${colorScheme}.png`, fullPage: true });
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run());
        assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
        await context.close();
    });
}
