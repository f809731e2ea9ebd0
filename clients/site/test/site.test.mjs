// The built site in Chromium, which reaches the site's own web server and nothing else.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { executable, skip } from "../../testing/chromium.mjs";
import { serve } from "../serve.mjs";

const folder = process.env.PLAYCHAT_SITE_OUTPUT;
const base = process.env.PLAYCHAT_SITE_BASE;
const screenshots = fileURLToPath(new URL("../../../artifacts/screenshots/", import.meta.url));
let browser;
let server;
let root;

before(async () => {
    if (!skip) {
        mkdirSync(screenshots, { recursive: true });
        server = await serve(folder, base, 0);
        root = `http://127.0.0.1:${server.address().port}${base}`;
        browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
    }
});

after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
});

/** Opens a page, runs the test, takes its picture, and checks that nothing was asked of the web and that no script failed. */
function look(name, path, options, run) {
    test(name, { skip }, async () => {
        const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
        const page = await context.newPage();
        const problems = [];
        page.on("request", request => /^(https?):/.test(request.url()) && !request.url().startsWith(root) && problems.push(request.url()));
        page.on("pageerror", error => problems.push(String(error)));
        await page.goto(/^file:/.test(path) ? path : root + path);
        await run(page);
        await page.screenshot({ path: join(screenshots, `site-${name.replace(/\W+/g, "-").toLowerCase()}.png`) });
        assert.deepEqual(problems, []);
        await context.close();
    });
}

async function search(page, words) {
    await page.locator(".VPNavBarSearch button").first().click();
    await page.locator(".VPLocalSearchBox input").fill(words);
    const first = page.locator(".VPLocalSearchBox .result").first();
    await first.waitFor();
    return first;
}

const noWiderThanTheWindow = page => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

look("The title page leads to the first steps and names the version", "", {}, async page => {
    await page.getByText(/^Version \d/).first().waitFor();
    await page.locator(".VPHero").getByRole("link", { name: "Getting started" }).click();
    await page.getByRole("heading", { level: 1, name: "Getting started" }).waitFor();
});

look("The search finds a type by its name", "docs/", {}, async page => {
    const found = await search(page, "RoomSettings");
    assert.match(await found.getAttribute("href"), /api\/PlayChat\.Core\.Rooms\/RoomSettings\.html/);
    await found.click();
    await page.getByRole("heading", { level: 3, name: "RemoveWhenEmpty" }).waitFor();
});

look("The search finds a guide by ordinary words", "docs/", {}, async page => {
    assert.match(await (await search(page, "reconnect")).getAttribute("href"), /docs\/how-to\/reconnect-players\.html/);
});

// Questions of a game developer, as typed, and the page that answers each.
const questions = {
    "restart without losing players": [1, "docs/how-to/restart-a-server"],
    "measure the ping of a player": [1, "docs/how-to/measure-ping"],
    "mute a player": [1, "docs/how-to/talk-in-a-room"],
    "headless client": [1, "docs/how-to/bots"],
    "log in with my own accounts": [3, "docs/how-to/log-players-in"],
    "load and save a player": [1, "docs/how-to/load-and-save-a-player"],
    "unity": [1, "docs/how-to/unity-and-godot"],
    "browser client for my own packets": [3, "docs/how-to/browser-client"],
    "share rooms between servers": [1, "docs/how-to/share-rooms"],
    "limit players in a room": [3, "docs/explanation/(concepts|limits-in-your-code)"],
    "room with a password": [3, "docs/explanation/concepts"],
    "list of open rooms": [3, "docs/explanation/concepts"],
    "docker": [3, "deploy/"],
    "prevent cheating": [3, "docs/faq"],
    "kick idle players": [3, "docs/faq|docs/how-to/talk-in-a-room"],
    "wss certificate": [3, "docs/how-to/(browser-client|tls-and-proxy)"],
    "call a database from a room": [3, "docs/how-to/store-what-players-own"],
    "prevent spam": [3, "docs/faq"],
    "send announcement to all players": [3, "docs/explanation/concepts"],
    "message too large": [3, "docs/faq|docs/reference/server-options"],
    "record and replay a room": [1, "docs/how-to/debug-a-room"],
    "debug a fault from production": [1, "docs/how-to/debug-a-room"],
    "windows": [3, "docs/reference/windows"],
    "who is online": [3, "docs/explanation/concepts"],
};

look("The search finds the answer to a question among its first hits", "docs/", {}, async page => {
    const wrong = [];
    for (const [question, [best, answer]] of Object.entries(questions)) {
        const results = page.locator(".VPLocalSearchBox .result");
        if (await page.locator(".VPLocalSearchBox").count() > 0) {
            await page.locator(".VPLocalSearchBox input").fill("");
            await results.first().waitFor({ state: "detached" });
            await page.locator(".VPLocalSearchBox input").fill(question);
            await results.first().waitFor();
        } else {
            await search(page, question);
        }
        const hits = await results.evaluateAll((list, count) => list.slice(0, count).map(hit => new URL(hit.href).pathname), best);
        const expected = new RegExp(`^/(${answer})(\\.html)?$`);
        if (!hits.some(hit => expected.test(hit.slice(base.length - 1)))) {
            wrong.push(`${question}: ${hits.join(", ")}`);
        }
    }
    assert.deepEqual(wrong, []);
});

look("Code in a guide leads to its type", "docs/explanation/concepts.html", {}, async page => {
    await page.locator("a.symbol", { hasText: "RoomTimer" }).click();
    await page.getByRole("heading", { level: 1, name: "RoomTimer" }).waitFor();
});

look("A page of the API lists its members and its extension methods", "api/PlayChat.Core.Rooms/Room.html", {}, async page => {
    await page.getByRole("heading", { level: 3, name: "OnCreate" }).waitFor();
    await page.getByRole("heading", { level: 2, name: "Extension methods" }).waitFor();
    await page.locator(".VPSidebar").getByRole("link", { name: "RoomSettings" }).waitFor();
});

look("Diagrams are drawn without a network", "docs/explanation/concepts.html", {}, async page => {
    await page.locator(".diagram svg").nth(1).waitFor();
    await page.locator(".diagram svg").first().scrollIntoViewIfNeeded();
});

look("Diagrams take dark colours", "docs/how-to/reconnect-players.html", { colorScheme: "dark" }, async page => {
    const drawn = page.locator(".diagram svg").first();
    await drawn.waitFor();
    const before = await drawn.getAttribute("id");
    await page.locator(".VPSwitchAppearance").first().click();
    await page.locator(`.diagram svg:not(#${before})`).first().waitFor();
    await page.locator(".VPSwitchAppearance").first().click();
    await page.locator("html.dark").waitFor();
    await drawn.scrollIntoViewIfNeeded();
});

for (const path of ["", "docs/how-to/handle-slow-clients.html", "docs/reference/limits.html", "api/PlayChat.Core.Rooms/Room.html"]) {
    look(`A phone shows /${path} in its width`, path, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }, async page => {
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        assert.equal(await noWiderThanTheWindow(page), true);
    });
}

// Only a site at the root of its server has addresses that begin with one slash.
if (base === "/" && !skip) {
    look("A page opened from a folder has its links and diagrams",
        `${pathToFileURL(join(folder, "docs/how-to/reconnect-players.html"))}`, {}, async page => {
            await page.locator(".diagram svg").first().waitFor();
            await page.locator(".vp-doc").getByRole("link", { name: "Concepts", exact: true }).click();
            await page.getByRole("heading", { level: 1, name: "Concepts" }).waitFor();
            assert.match(page.url(), /^file:.*docs\/explanation\/concepts\.html$/);
        });
}
