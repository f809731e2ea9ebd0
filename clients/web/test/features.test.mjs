// What members do with messages and rooms beyond talking: the page in a real browser, against the real server.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
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

test("A room with a password and few places asks for it, and moderators change it, the capacity and the lock", { skip, timeout: 120_000 }, async () => {
    const [ann, bob] = [await ChatPage.open(browser, server.url), await ChatPage.open(browser, server.url)];
    await ann.login("Alma");
    await bob.login("Bert");
    await ann.page.getByRole("button", { name: "New room" }).click();
    await ann.page.locator("#create-name").fill("vault");
    await ann.page.locator("#create-capacity").fill("2");
    await ann.page.locator("#create-password").fill("open sesame");
    await ann.page.getByRole("button", { name: "Create", exact: true }).click();
    await ann.page.locator("#room-name", { hasText: "vault" }).waitFor();

    const search = bob.page.locator("#room-search");
    await search.fill("vault");
    await bob.page.locator("#rooms-others .room-item", { hasText: "password" }).click();
    const password = bob.page.locator("#password-text");
    await password.fill("open barley");
    await password.press("Enter");
    await bob.page.locator("#password-error", { hasText: "Incorrect password of the room." }).waitFor();
    await password.fill("open sesame");
    await password.press("Enter");
    await bob.page.locator("#room-name", { hasText: "vault" }).waitFor();
    assert.equal(await password.inputValue(), "");

    await bob.page.locator("#room-topic", { hasText: "Password · 2 players at once" }).waitFor();
    await ann.say("/password");
    await ann.page.locator("#password-dialog[open]").waitFor();
    await ann.page.locator("#password-text").press("Enter");
    await bob.page.locator(".line", { hasText: "Alma removed the password." }).waitFor();
    await ann.say("/capacity many");
    await ann.page.locator("#text-note", { hasText: "Type /capacity NUMBER" }).waitFor();
    await ann.say("/capacity 3");
    await bob.page.locator(".line", { hasText: "Alma set the capacity: 3 players." }).waitFor();
    await ann.say("/lock");
    await bob.page.locator("#room-topic", { hasText: "Locked" }).waitFor();
    const eve = await tcpPlayer(server, "Evi");
    const { rooms } = await eve.listRooms();
    const vault = rooms.find(({ name }) => name === "vault");
    assert.deepEqual([vault.maxMembers, vault.terms.locked, vault.terms.hasPassword], [3, true, false]);
    await assert.rejects(eve.joinRoom(vault.roomId), /This room is locked/);
    await ann.say("/unlock");
    await bob.page.locator(".line", { hasText: "Alma unlocked the room." }).waitFor();
    await eve.joinRoom(vault.roomId);
    await eve.close();
    assert.deepEqual([...ann.problems, ...bob.problems], []);
    await ann.close();
    await bob.close();
});

test("Members see the topic, react and report by mouse, keyboard and command, and find messages", { skip, timeout: 120_000 }, async () => {
    const ann = await ChatPage.open(browser, server.url, { bypassCSP: true }); // axe is put in as a script
    const bob = await ChatPage.open(browser, server.url);
    const eve = await tcpPlayer(server, "Eve");
    await ann.login("Ann");
    await bob.login("Bob");
    await ann.createRoom("den");
    await bob.joinRoom("den");

    await ann.say("/topic All about <bears>");
    await bob.page.locator("#room-topic", { hasText: "All about <bears>" }).waitFor();
    await ann.say("/slow 3600");
    await bob.page.locator("#room-topic", { hasText: "All about <bears> · Slow mode: 3600 s" }).waitFor();
    await bob.say("The honey is ready");
    await bob.say("again");
    await bob.page.locator(".message.failed", { hasText: "This room is in slow mode" }).waitFor();
    await bob.page.getByRole("button", { name: "Discard" }).click();
    await ann.say("/slow 0");
    await ann.say("/slow");
    await ann.page.locator("#text-note", { hasText: "Type /slow SECONDS" }).waitFor();
    await ann.page.locator("#text").fill("");

    const honey = (who) => who.page.locator(".message", { hasText: "The honey is ready" });
    const counted = (who, text, pressed) => honey(who).locator(`.reaction[aria-pressed="${pressed}"]`, { hasText: text }).waitFor();
    await honey(ann).hover();
    await honey(ann).getByRole("button", { name: "React with 👍" }).click();
    await counted(ann, "👍 1", true);
    await counted(bob, "👍 1", false);
    await honey(bob).locator(".reaction").press("Enter"); // by the keyboard
    await counted(ann, "👍 2", true);
    assert.equal(await bob.page.evaluate(() => document.activeElement?.getAttribute("data-emoji")), "👍");
    await ann.say("/react 🐻");
    await counted(bob, "🐻 1", false);
    await ann.page.screenshot({ path: `${screenshots}/features-reactions.png` });
    await ann.say("/react 🐻");
    await honey(bob).locator(".reaction", { hasText: "🐻" }).waitFor({ state: "detached" });
    await ann.say("/react bear");
    await ann.banner("A reaction is one emoji of at most 32 bytes. Choose another.");
    await bob.page.reload(); // the counts come with the history
    await counted(bob, "👍 2", true);
    await bob.page.locator("#room-topic", { hasText: "All about <bears>" }).waitFor();

    const { rooms } = await eve.listRooms();
    assert.equal(rooms.find(({ name }) => name === "den")?.terms?.topic, "All about <bears>");
    const other = await eve.createRoom("elsewhere");
    await eve.send(other.roomId, "honey, but not for Ann");
    await assert.rejects(eve.search("honey", { roomId: rooms.find(({ name }) => name === "den").roomId }), /not in room/);
    await ann.say("/search \"HONEY*");
    await ann.page.locator("#search-note", { hasText: "1 message" }).waitFor();
    await ann.page.screenshot({ path: `${screenshots}/features-search.png` });
    await ann.page.evaluate(axe);
    const { violations } = await ann.page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id }) => id), []);
    await ann.page.locator("#search-found button", { hasText: "Bob in den" }).click();
    await ann.page.locator(".message.found", { hasText: "The honey is ready" }).waitFor();

    await bob.say("/reports");
    await bob.page.locator("#banner", { hasText: "Only moderators and owners" }).waitFor();
    await ann.say("Sugar is for everyone");
    await bob.page.locator(".message", { hasText: "Sugar is for everyone" }).waitFor();
    await bob.say("/report");
    await bob.page.locator("#text-note", { hasText: "Type what is wrong" }).waitFor();
    await bob.say("/report too sweet");
    await bob.page.getByText("You have reported the message of Ann.").waitFor();
    await ann.page.locator("#notices", { hasText: "Bob has reported a message in den: too sweet" }).waitFor();
    await ann.say("/reports");
    const number = /Report (\d+) by Bob: too sweet/.exec(await ann.page.getByText(/Report \d+ by Bob: too sweet/).first().textContent())[1];
    await ann.page.getByText("▶ Ann: Sugar is for everyone").waitFor();
    await ann.page.getByText("Bob: The honey is ready", { exact: true }).waitFor();
    await ann.say(`/resolve ${number} a matter of taste`);
    await ann.page.getByText(`Report ${number} is resolved.`).waitFor();

    const salt = bob.page.locator(".message", { hasText: "Salt is for nobody" });
    await ann.say("Salt is for nobody");
    await bob.sees("Salt is for nobody");
    await ann.say("This one is the newest");
    await bob.sees("This one is the newest");
    const line = bob.page.locator("#text");
    await honey(bob).hover();
    assert.equal(await honey(bob).getByRole("button", { name: "Report" }).count(), 0); // it is his own
    await line.fill("half a dra");
    await salt.hover();
    await salt.getByRole("button", { name: "Report" }).click();
    await bob.page.locator("#text-note", { hasText: "What is wrong with this message of Ann?" }).waitFor();
    await line.press("Escape");
    assert.equal(await line.inputValue(), "half a dra");
    await bob.page.getByRole("button", { name: "Search", exact: true }).hover(); // away from the messages
    await bob.page.locator(".timeline").press("ArrowUp"); // from here on by the keyboard: to the newest message, and to the one above
    await bob.page.keyboard.press("ArrowUp");
    assert.match(await bob.page.evaluate(() => document.activeElement?.textContent), /Salt is for nobody/);
    await salt.getByRole("button").last().waitFor();
    for (let button = 0; button < 5; button++) { // four emojis, and Report
        await bob.page.keyboard.press("Tab");
    }
    assert.equal(await bob.page.evaluate(() => document.activeElement?.textContent), "Report");
    await bob.page.keyboard.press("Enter");
    await salt.locator(".actions").waitFor({ state: "detached" });
    await bob.say("not for me");
    await ann.page.locator("#notices", { hasText: "Bob has reported a message in den: not for me" }).waitFor();
    assert.equal(await line.inputValue(), "half a dra");
    await line.fill("");
    await ann.say("/reports");
    await ann.page.getByText("by Bob: not for me").waitFor();
    await ann.page.getByText("▶ Ann: Salt is for nobody").waitFor();

    await honey(bob).hover();
    await honey(bob).getByRole("button", { name: "Delete" }).click();
    await ann.page.locator(".message.deleted").waitFor();
    assert.equal(await ann.page.locator(".reaction").count(), 0);
    await ann.page.getByRole("button", { name: "Search", exact: true }).click();
    await ann.page.locator("#search-words").fill("honey");
    await ann.page.locator("#search-words").press("Enter");
    await ann.page.waitForFunction(() => { // the server stores the deletion a moment after the members hear of it
        const { textContent: note } = document.getElementById("search-note");
        if (!note.startsWith("Searching") && note !== "Nothing was found.") {
            document.getElementById("search-form").requestSubmit();
        }
        return note === "Nothing was found.";
    }, undefined, { polling: 300 });
    assert.deepEqual([...ann.problems, ...bob.problems], []);
    await eve.close();
    await ann.close();
    await bob.close();
});

test("The browser is asked for notifications by a click on the bell, and by nothing before", { skip, timeout: 120_000 }, async () => {
    const nils = await ChatPage.open(browser, server.url);
    let asked = 0;
    await nils.context.exposeFunction("countAsked", () => asked++);
    await nils.context.addInitScript(() => {
        const ask = Notification.requestPermission.bind(Notification);
        Notification.requestPermission = async () => {
            await globalThis.countAsked();
            return ask();
        };
    });
    await nils.page.reload();
    await nils.login("Nils");
    await nils.createRoom("bells");
    const nora = await tcpPlayer(server, "Nora");
    const id = await roomId(nora, "bells");
    await nora.joinRoom(id);
    await nora.send(id, "@Nils, do you hear them?");
    await nils.sees("Mentions you: @Nils, do you hear them?");
    await nora.sendDirect("Nils", "psst");
    await nils.page.locator("#conversations .room-item", { hasText: "Nora" }).locator(".badge", { hasText: "1" }).waitFor();
    await nils.page.reload();
    await nils.sees("Mentions you: @Nils, do you hear them?");
    const bell = nils.page.getByRole("button", { name: "Notify me" });
    assert.deepEqual([asked, await nils.page.evaluate(() => Notification.permission)], [0, "default"]);
    await bell.click();
    await bell.waitFor({ state: "hidden" }); // the browser has answered
    assert.equal(asked, 1);
    assert.deepEqual(nils.problems, []);
    await nora.close();
    await nils.close();
});
