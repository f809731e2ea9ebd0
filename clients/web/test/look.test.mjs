// What the page looks like, and whether a screen reader can use it: axe-core on every state, screenshots into artifacts/screenshots.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ChatServer } from "../../testing/server.mjs";
import { ChatPage, launch, roomId, screenshots, skip, tcpPlayer } from "./harness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let server;
let browser;
let players;

before(async () => {
    if (skip) {
        return;
    }
    [server, browser] = await Promise.all([ChatServer.start(), launch()]);
    players = { min: await tcpPlayer(server, "민수"), ann: await tcpPlayer(server, "Ann Lee"), ren: await tcpPlayer(server, "蓮") };
    const { roomId: lobby } = await players.min.createRoom("lobby");
    for (const [name, member] of [["Tournament 결승전", "ann"], ["Trading", "ren"], ["مرحبا", "ann"], ["A room with a name that is so long that it never fits", "min"]]) {
        await players[member].createRoom(name);
    }
    await players.ann.joinRoom(lobby);
    await players.ren.joinRoom(lobby);
    for (const [who, text] of [
        ["min", "안녕하세요! 오늘 저녁 8시에 결승전 보실 분? 🎮"],
        ["min", "중계는 https://example.org/live?match=42 에서 볼 수 있어요."],
        ["ann", "Yes! I will be there. Shall we meet in the tournament room ten minutes earlier?\nI can bring two friends."],
        ["ren", "私も参加します。よろしくお願いします 🙇"],
        ["min", "좋아요 👍"],
        ["ann", "See you at eight, then. (Bring snacks.)"],
    ]) {
        await players[who].send(lobby, text);
    }
});
after(async () => {
    await Promise.all(Object.values(players ?? {}).map((player) => player.close()));
    await browser?.close();
    await server?.dispose();
});

for (const width of [360, 1280]) {
    for (const colorScheme of ["light", "dark"]) {
        test(`axe-core finds no violation at ${width} px, ${colorScheme}`, { skip, timeout: 120_000 }, async () => {
            const chat = await ChatPage.open(browser, server.url, {
                viewport: { width, height: width === 360 ? 720 : 800 }, colorScheme, bypassCSP: true, // axe is put in as a script
            });
            const { page } = chat;
            const check = async (state) => {
                await page.screenshot({ path: `${screenshots}/${width}-${colorScheme}-${state}.png` });
                await page.evaluate(axe);
                const { violations } = await page.evaluate(() => window.axe.run());
                assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), [], state);
                const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
                assert.equal(over, 0, `${state} is wider than the screen`);
            };
            await page.locator("#login-name").waitFor();
            await check("login");
            await page.getByRole("radio", { name: "Create an account" }).check();
            await page.getByRole("button", { name: "Create account" }).click();
            await page.locator("#login-name-error", { hasText: "Enter a name." }).waitFor();
            await check("create-account");
            await chat.login(`Guest ${width} ${colorScheme}`);
            await page.locator(".room-item").first().waitFor();
            await check("rooms");
            await chat.joinRoom("lobby");
            await chat.say("Hi, I am new here.");
            await chat.sees("Hi, I am new here.");
            if (width === 360) {
                await page.locator("#members-toggle").click();
                await check("members");
            }
            await page.locator("#member-list button").first().click();
            await check("member-menu");
            await page.keyboard.press("Escape");
            if (width === 360) {
                await page.keyboard.press("Escape");
            }
            await check("room");
            await page.keyboard.press("Control+/");
            assert.equal(await page.locator("#help-dialog").evaluate((dialog) => dialog.scrollTop), 0, "the help begins with its first line");
            await check("help");
            await page.keyboard.press("Escape");
            await page.evaluate(() => window.dispatchEvent(new Event("offline")));
            await chat.close();
        });
    }
}
