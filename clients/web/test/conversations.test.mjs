// Direct messages that the server stores: conversations, their history, and blocked players, in a real browser against the real server.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { ChatServer } from "../../testing/server.mjs";
import { ChatPage, launch, screenshots, skip, tcpPlayer } from "./harness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let server;
let browser;

before(async () => {
    if (!skip) {
        [server, browser] = await Promise.all([ChatServer.start("--Accounts:RegistrationsPerMinute=1000"), launch()]);
    }
});
after(async () => {
    await browser?.close();
    await server?.dispose();
});

test("Two players talk while one of them is away, read it later, and one blocks the other", { skip, timeout: 120_000 }, async () => {
    const ann = await tcpPlayer(server, "Ann");
    const bob = await ChatPage.open(browser, server.url, { bypassCSP: true }); // axe is put in as a script
    await bob.login("Bob");
    await bob.page.getByRole("button", { name: "Log out" }).click();
    await bob.page.locator("#login").waitFor();
    await ann.sendDirect("bob", "one");
    const { playerId } = await ann.sendDirect("Bob", "two");

    await bob.login("Bob");
    const item = bob.page.locator("#conversations .room-item", { hasText: "Ann" });
    await item.locator(".badge", { hasText: "2" }).waitFor();
    assert.equal(await bob.page.title(), "(2) PlayChat");
    await item.click();
    await bob.inRoom("Ann");
    await bob.sees("two");
    await item.locator(".badge").waitFor({ state: "detached" });
    const answer = new Promise((resolve) => ann.on("direct", ({ message }) => resolve(message)));
    await bob.say("three");
    assert.equal((await answer).number, 3n);
    await bob.sees("three");
    await ann.sendDirect(playerId, "four");
    await bob.sees("four");
    assert.deepEqual(await bob.texts(), ["one", "two", "three", "four"]);
    await bob.page.screenshot({ path: `${screenshots}/conversation.png` });
    await bob.page.evaluate(axe);
    const { violations } = await bob.page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id }) => id), []);

    const { roomId } = await ann.createRoom("both");
    await bob.joinRoom("both");
    await ann.send(roomId, "seen in the room");
    await bob.sees("seen in the room");
    await bob.say("/block Ann");
    await bob.banner("Ann is blocked");
    await bob.page.locator(".message .text", { hasText: "seen in the room" }).waitFor({ state: "hidden" });
    await ann.send(roomId, "not seen");
    await assert.rejects(ann.sendDirect(playerId, "five"), /takes no messages and invitations from you/);
    await bob.page.locator(".message .text", { hasText: "not seen" }).waitFor({ state: "hidden" });
    await bob.say("/dm Ann");
    await bob.page.getByRole("button", { name: "Unblock" }).click();
    await bob.banner("Ann is no longer blocked.");
    await ann.sendDirect(playerId, "six");
    await bob.sees("six");
    await bob.page.getByRole("button", { name: "Close" }).click();
    await bob.page.locator("#no-room").waitFor();
    await ann.sendDirect(playerId, "seven");
    await item.locator(".badge", { hasText: "1" }).waitFor();
    await bob.page.reload();
    await item.locator(".badge", { hasText: "1" }).waitFor();
    await item.click();
    await bob.sees("seven");
    assert.deepEqual(bob.problems, []);
    await bob.close();
});

test("Of many conversations the newest stand there, and a button reads older ones", { skip, timeout: 120_000 }, async () => {
    const bob = await ChatPage.open(browser, server.url);
    await bob.login("Bob the Popular");
    for (let i = 1; i <= 102; i++) {
        const other = await tcpPlayer(server, `Fan ${i}`);
        await other.sendDirect("Bob the Popular", "hi");
        await other.close();
    }
    const items = bob.page.locator("#conversations .room-item");
    await items.nth(101).waitFor(); // as they came
    await bob.page.reload();
    await items.nth(99).waitFor();
    assert.equal(await items.count(), 100);

    const more = bob.page.getByRole("button", { name: "Show older conversations" });
    await bob.page.getByLabel("Search rooms").fill("nothing has this name");
    await bob.page.getByLabel("Search rooms").press("Enter"); // the button is no result
    await bob.page.getByLabel("Search rooms").fill("");
    assert.equal(await items.count(), 100);
    await more.focus();
    await bob.page.keyboard.press("Enter");
    await items.nth(101).waitFor();
    assert.equal(await more.isVisible(), false);
    assert.match(await bob.page.evaluate(() => document.activeElement.textContent), /^Fan 2/);
    assert.deepEqual((await items.locator(".name").allTextContents()).slice(-2), ["Fan 2", "Fan 1"]);
    assert.deepEqual(bob.problems, []);
    await bob.close();
});
