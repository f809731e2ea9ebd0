// A chat whose rooms last, as a community uses it: the page in a real browser, against the real server.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { ModerationAction } from "@playchat/client";
import { ChatServer } from "../../testing/server.mjs";
import { ChatPage, launch, roomId, screenshots, skip, tcpPlayer } from "./harness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let server;
let browser;

before(async () => {
    if (!skip) {
        [server, browser] = await Promise.all([ChatServer.start("--Rooms:Lasting=true"), launch()]);
    }
});
after(async () => {
    await browser?.close();
    await server?.dispose();
});

test("A member goes, misses messages and a mention, and finds all of it at its next login, after a restart", { skip, timeout: 120_000 }, async () => {
    const ann = await tcpPlayer(server, "Ann");
    const { roomId } = await ann.createRoom("den");
    const bob = await ChatPage.open(browser, server.url);
    await bob.login("Bob");
    await bob.joinRoom("den");
    await ann.send(roomId, "seen");
    await bob.sees("seen");
    await bob.page.waitForTimeout(2500); // the page tells what was read every 2 seconds
    await bob.page.getByRole("button", { name: "Log out" }).click();
    await bob.page.locator("#login").waitFor();
    await ann.send(roomId, "one");
    await ann.send(roomId, "hey @Bob!");
    await ann.close();
    await server.stop();
    await server.restart();

    await bob.login("Bob");
    const item = bob.page.locator(".room-item", { hasText: "den" });
    await item.locator(".badge", { hasText: "@ 2" }).waitFor();
    await item.click();
    await bob.sees("hey @Bob!");
    await bob.page.locator(".rule.new").waitFor();
    assert.deepEqual(await bob.texts(), ["seen", "one", "Mentions you: hey @Bob!"]);
    await bob.page.locator("#member-list .offline", { hasText: "Ann" }).waitFor();
    await bob.page.screenshot({ path: `${screenshots}/lasting-missed.png` });
    assert.deepEqual(bob.problems, []);
    await bob.close();
});

test("Two players talk, change and delete what they said, and see who is writing", { skip, timeout: 120_000 }, async () => {
    const [ann, bob] = [await ChatPage.open(browser, server.url), await ChatPage.open(browser, server.url)];
    await ann.login("Eva");
    await bob.login("Tom");
    await ann.createRoom("edits");
    await bob.joinRoom("edits");
    await ann.say("helo");
    await bob.sees("helo");

    await ann.page.locator("#text").press("ArrowUp");
    assert.equal(await ann.page.locator("#text").inputValue(), "helo");
    await ann.say("hello");
    await bob.page.locator(".message .text", { hasText: "hello (edited)" }).waitFor();
    await bob.page.locator("#text").pressSequentially("hm");
    await ann.page.locator("#typing", { hasText: "Tom is writing…" }).waitFor();
    await bob.page.locator("#text").fill("");
    await bob.say("spam");
    await ann.sees("spam");
    const spam = ann.page.locator(".message", { hasText: "spam" });
    await spam.hover();
    await ann.page.screenshot({ path: `${screenshots}/lasting-edit.png` });
    await spam.getByRole("button", { name: "Delete" }).click(); // the owner of the room
    await bob.page.locator(".message.deleted .text", { hasText: "This message was deleted." }).waitFor();
    await ann.say("/delete");
    await bob.page.locator(".message.deleted").nth(1).waitFor();
    assert.deepEqual([...ann.problems, ...bob.problems], []);
    await ann.close();
    await bob.close();
});

test("An owner mutes, removes, bans, invites and gives roles by commands", { skip, timeout: 120_000 }, async () => {
    const ann = await ChatPage.open(browser, server.url, { bypassCSP: true }); // axe is put in as a script
    const bob = await ChatPage.open(browser, server.url);
    await ann.login("Olga");
    await bob.login("Max Power");
    await ann.createRoom("rules");
    await bob.joinRoom("rules");

    await ann.say("/mute Max Power 5 calm down");
    await bob.page.locator(".line", { hasText: "Max Power was muted until" }).waitFor();
    await bob.say("but why");
    await bob.page.locator(".message.failed", { hasText: "You are muted in this room until" }).waitFor();
    await bob.page.getByRole("button", { name: "Discard" }).click();
    const muted = ann.page.locator("#member-list li", { hasText: "Max Power" }).locator(".role", { hasText: "muted" });
    await muted.waitFor();
    await ann.say("/unmute Max Power");
    await muted.waitFor({ state: "detached" });
    await ann.say("/role Max Power moderator");
    await ann.page.locator("#member-list li", { hasText: "Max Power" }).locator(".role", { hasText: "moderator" }).waitFor();
    await bob.say("/kick Olga");
    await bob.banner("Olga has the same role as you, or a higher one.");
    await ann.say("/mute");
    await ann.page.locator("#text-note", { hasText: "Type /mute NAME [MINUTES] [REASON]." }).waitFor();
    await ann.page.locator("#text").fill("");
    await ann.say("/ban Max Power");
    await bob.banner("Olga banned you from rules.");
    await bob.page.locator("#no-room").waitFor({ state: "attached" });
    await bob.page.locator("#rooms-others .room-item", { hasText: "rules" }).click();
    await bob.banner("You are banned from this room.");
    await ann.say("/unban Max Power");
    await ann.say("/invite Max Power");
    await bob.page.locator("#rooms-mine .room-item", { hasText: "rules" }).click();
    await bob.inRoom("rules");
    await ann.page.screenshot({ path: `${screenshots}/lasting-moderation.png` });
    await ann.page.evaluate(axe);
    const { violations } = await ann.page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id }) => id), []);
    await ann.say("/remove");
    await ann.page.locator("#text-note", { hasText: "/remove rules" }).waitFor();
    await ann.page.locator("#text").fill("");
    await ann.say("/remove rules");
    await bob.banner("Olga has removed the room rules.");
    await bob.page.locator(".room-item", { hasText: "rules" }).waitFor({ state: "detached" });
    assert.deepEqual([...ann.problems, ...bob.problems], []);
    await ann.close();
    await bob.close();
});

test("An owner and a moderator do by pointer and by keyboard what their roles allow", { skip, timeout: 120_000 }, async () => {
    const ann = await ChatPage.open(browser, server.url, { bypassCSP: true }); // axe is put in as a script
    const bob = await ChatPage.open(browser, server.url);
    await ann.login("Nora");
    await bob.login("Ole Olsen");
    const cho = await tcpPlayer(server, "Piet");
    await ann.createRoom("pointer");
    await bob.joinRoom("pointer");
    const room = await roomId(cho, "pointer");
    await cho.joinRoom(room);
    await bob.say("hello");
    await ann.sees("hello");
    const entry = (page, name) => page.locator("#member-list button.member", { hasText: name });
    const entries = (page) => page.locator("#member-list [role=menuitem]");
    const focused = () => ann.page.evaluate(() => document.activeElement.dataset.member ?? document.activeElement.textContent);

    assert.equal(await entry(ann.page, "Nora").count(), 0); // nothing is done to oneself
    await entry(ann.page, "Ole Olsen").click();
    assert.deepEqual(await entries(ann.page).allTextContents(), [
        "Direct message", "Block", "Report last message", "Mute for 10 minutes", "Mute for an hour", "Kick", "Ban", "Make moderator",
    ]);
    await ann.page.screenshot({ path: `${screenshots}/member-menu.png` });
    await ann.page.evaluate(axe);
    const { violations } = await ann.page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id }) => id), []);

    const ole = await entry(ann.page, "Ole Olsen").getAttribute("data-member");
    await ann.page.keyboard.press("End");
    assert.equal(await focused(), "Make moderator");
    await ann.page.keyboard.press("ArrowDown");
    assert.equal(await focused(), "Direct message");
    await cho.send(room, "the list stays as it is");
    await ann.sees("the list stays as it is");
    await ann.page.keyboard.press("Escape");
    assert.equal(await entries(ann.page).count(), 0);
    assert.equal(await focused(), ole);
    await ann.page.keyboard.press("Enter");
    await ann.page.keyboard.press("ArrowUp");
    await ann.page.keyboard.press("ArrowUp");
    await ann.page.keyboard.press("ArrowUp");
    await ann.page.keyboard.press("ArrowUp");
    assert.equal(await focused(), "Mute for an hour");
    await ann.page.keyboard.press("Enter");
    await bob.page.locator(".line", { hasText: "Ole Olsen was muted until" }).waitFor();
    await entry(ann.page, "Ole Olsen").locator(".role", { hasText: "muted" }).waitFor();
    assert.equal(await focused(), ole);
    await entry(ann.page, "Ole Olsen").click();
    await ann.page.getByRole("menuitem", { name: "Unmute" }).click();
    await bob.page.locator(".line", { hasText: "Nora let Ole Olsen speak again" }).waitFor();
    await entry(ann.page, "Ole Olsen").locator(".role", { hasText: "muted" }).waitFor({ state: "detached" });
    await entry(ann.page, "Ole Olsen").click();
    await ann.page.getByRole("menuitem", { name: "Make moderator" }).click();
    await entry(bob.page, "Piet").waitFor();
    await bob.page.locator(".line", { hasText: "Nora made Ole Olsen a moderator" }).waitFor();

    await entry(bob.page, "Nora").click();
    assert.deepEqual(await entries(bob.page).allTextContents(), ["Direct message", "Block"]);
    await bob.page.locator("#text").click();
    assert.equal(await entries(bob.page).count(), 0);
    await entry(bob.page, "Piet").click();
    const left = new Promise((resolve) => cho.on("roomLeft", ({ message }) => resolve(message)));
    await bob.page.getByRole("menuitem", { name: "Kick" }).click();
    assert.equal(await left, "Ole Olsen removed you from pointer.");
    await entry(bob.page, "Piet").waitFor({ state: "detached" });
    await entry(bob.page, "Nora").click();
    await bob.page.getByRole("menuitem", { name: "Block" }).click();
    await bob.banner("Nora is blocked");
    await entry(bob.page, "Nora").click();
    await bob.page.getByRole("menuitem", { name: "Unblock" }).click();
    await bob.banner("Nora is no longer blocked.");
    await entry(bob.page, "Nora").click();
    await bob.page.getByRole("menuitem", { name: "Direct message" }).click();
    await bob.inRoom("Nora");
    await bob.say("hi alone");
    await bob.sees("hi alone");
    assert.deepEqual([...ann.problems, ...bob.problems], []);
    await ann.close();
    await bob.close();
    await cho.close();
});

test("A private room is seen by its members alone", { skip, timeout: 120_000 }, async () => {
    const ann = await ChatPage.open(browser, server.url);
    await ann.login("Pia");
    await ann.page.getByRole("button", { name: "New room" }).click();
    await ann.page.locator("#create-name").fill("secret");
    await ann.page.getByLabel("Private: only players").check();
    await ann.page.screenshot({ path: `${screenshots}/lasting-private.png` });
    await ann.page.getByRole("button", { name: "Create", exact: true }).click();
    await ann.inRoom("secret");
    const bob = await tcpPlayer(server, "Ben");
    assert.equal((await bob.listRooms()).rooms.some(({ name }) => name === "secret"), false);
    const invited = new Promise((resolve) => bob.on("invited", resolve));
    await ann.say("/invite Ben");
    const { membership, by } = await invited;
    assert.deepEqual([membership.name, by.name], ["secret", "Pia"]);
    await bob.joinRoom(membership.roomId);
    await assert.rejects(bob.moderate(membership.roomId, { action: ModerationAction.KICK, playerName: "Pia" }), /Only moderators/);
    await bob.close();
    assert.deepEqual(ann.problems, []);
    await ann.close();
});

test("All members are listed, also those behind the server's first page of 200", { skip, timeout: 120_000 }, async (t) => {
    const crowded = await ChatServer.start("--Rooms:Lasting=true", "--Accounts:RegistrationsPerMinute=1000");
    t.after(() => crowded.dispose());
    const owner = await tcpPlayer(crowded, "Ann");
    const { roomId } = await owner.createRoom("crowd");
    await owner.close();
    for (let guest = 1; guest <= 200; guest++) {
        const player = await tcpPlayer(crowded, `guest ${guest}`);
        await player.joinRoom(roomId);
        await player.close();
    }
    const ann = await ChatPage.open(browser, crowded.url);
    await ann.login("Ann");
    await ann.page.locator("#rooms-mine .room-item", { hasText: "crowd" }).click();
    await ann.page.locator("#member-list .offline", { hasText: "guest 200" }).waitFor();
    assert.equal(await ann.page.locator("#member-list li").count(), 201);
    assert.deepEqual(ann.problems, []);
    await ann.close();
});
