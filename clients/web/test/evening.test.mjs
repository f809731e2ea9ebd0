// An evening of a community: two browsers and a console client on a cluster of two nodes, one of which dies.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ConsoleClient } from "../../testing/console.mjs";
import { CuttingProxy } from "../../testing/proxy.mjs";
import { ChatServer } from "../../testing/server.mjs";
import { ChatPage, launch, screenshots, skip, tcpPlayer } from "./harness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const postgres = fileURLToPath(new URL("../../../tools/postgres", import.meta.url));
const run = promisify(execFile);

const noDatabase = skip || await run(postgres, ["check"]).then(() => false, () => "PostgreSQL is not installed. On Debian: apt-get install postgresql.");

test("Two browsers and a console client live through an evening in which a node dies", { skip: noDatabase, timeout: 600_000 }, async (t) => {
    const folder = join(tmpdir(), `playchat-evening-${process.pid}`); // the user who runs the database makes it
    const database = (await run(postgres, ["start", "--dir", folder])).stdout.trim();
    const node = (number) => ChatServer.start(
        "--Rooms:Lasting=true", "--Storage:Provider=Postgres", `--Storage:ConnectionString=${database}`, "--Cluster:Engine=Postgres",
        `--Cluster:NodeId=${number}`, "--ChatLog:SpillFile=", "--ChatLog:Directory=");
    const nodes = [await node(1), await node(2)];
    const browser = await launch();
    // What stands before the nodes for browsers. Each page prefers another node.
    const proxies = [
        await CuttingProxy.start(nodes[0].webPort, nodes[1].webPort), await CuttingProxy.start(nodes[1].webPort, nodes[0].webPort),
    ];
    const cho = new ConsoleClient("--name", "Cho", "--nodes", nodes.map(({ tcpPort }) => `127.0.0.1:${tcpPort}`).join(","));
    let steps = 0;
    const step = async (name, body) => {
        await body();
        t.diagnostic(`${++steps}. ${name}`);
    };
    try {
        const ann = await ChatPage.open(browser, `http://127.0.0.1:${proxies[0].port}/`, { bypassCSP: true }); // axe is put in as a script
        const bob = await ChatPage.open(browser, `http://127.0.0.1:${proxies[1].port}/`, { bypassCSP: true });
        const picture = (who, name) => who.page.screenshot({ path: `${screenshots}/evening-${name}.png` });
        const line = (who, text) => who.page.locator(".line", { hasText: text }).first().waitFor();
        const message = (who, text) => who.page.locator(".message", { hasText: text }).last();
        const accessible = async (who) => {
            await who.page.evaluate(axe);
            const { violations } = await who.page.evaluate(() => globalThis.axe.run());
            assert.deepEqual(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id }) => id), []);
        };

        await step("Ann creates an account", () => ann.login("Ann", "correct horse"));
        await step("Bob does at the other node, and stays logged in", async () => {
            await bob.page.getByLabel("Stay logged in on this device").check();
            await bob.login("Bob", "battery staple");
        });
        await step("Cho comes with the console client", () => cho.sees("Welcome, Cho"));
        await step("Ann creates the room den", () => ann.createRoom("den"));
        await step("Bob finds it and enters", () => bob.joinRoom("den"));
        await step("Cho enters", async () => {
            cho.type("/join den");
            await ann.page.locator("#member-list li", { hasText: "Cho" }).waitFor();
        });
        await step("Bob sees who is there, and who owns the room", async () => {
            await bob.page.locator("#member-list li", { hasText: "Cho" }).waitFor();
            await bob.page.locator("#member-list li", { hasText: "Ann" }).locator(".role", { hasText: "owner" }).waitFor();
        });
        await step("A second room of the same name is refused on the other node", async () => {
            await bob.page.getByRole("button", { name: "New room" }).click();
            await bob.page.locator("#create-name").fill("DEN");
            await bob.page.getByRole("button", { name: "Create", exact: true }).click();
            await bob.page.getByText("There is a room DEN already").first().waitFor();
            await bob.page.keyboard.press("Escape");
        });
        await step("Ann sets the topic", () => ann.say("/topic An evening in November"));
        await step("Bob and Cho read it", async () => {
            await bob.page.locator("#room-topic", { hasText: "An evening in November" }).waitFor();
            await cho.sees("Ann set the topic: An evening in November");
        });
        await step("Ann says good evening", () => ann.say("Good evening!"));
        await step("Bob and Cho read that", async () => {
            await bob.sees("Good evening!");
            await cho.sees("Ann: Good evening!");
        });
        await step("Cho answers from the terminal", async () => {
            cho.type("hello from the terminal");
            await Promise.all([ann.sees("hello from the terminal"), bob.sees("hello from the terminal")]);
        });
        await step("Bob mentions Ann", async () => {
            await bob.say("@Ann who brings the honey?");
            await ann.sees("Mentions you: @Ann who brings the honey?");
        });
        await step("Bob changes his message with the arrow key", async () => {
            await bob.page.locator("#text").press("ArrowUp");
            await bob.say("@Ann who brings the tea?");
            await ann.page.locator(".message .text", { hasText: "who brings the tea? (edited)" }).waitFor();
        });
        await step("Cho hears of the change", () => cho.sees("* Bob changed a message: @Ann who brings the tea?"));
        await step("Ann sees that Bob is writing", async () => {
            await bob.page.locator("#text").pressSequentially("hm, let me think", { delay: 300 }); // it is told every 3 seconds
            await ann.page.locator("#typing", { hasText: "Bob is writing…" }).waitFor();
            await bob.page.locator("#text").fill("");
        });
        await step("Ann reacts to Cho's message", async () => {
            await message(ann, "hello from the terminal").hover();
            await message(ann, "hello from the terminal").getByRole("button", { name: "React with 👍" }).click();
            await message(bob, "hello from the terminal").locator(".reaction", { hasText: "👍 1" }).waitFor();
        });
        await step("Bob reacts with the same emoji by the keyboard", async () => {
            await message(bob, "hello from the terminal").locator(".reaction").press("Enter");
            await message(ann, "hello from the terminal").locator(".reaction", { hasText: "👍 2" }).waitFor();
        });
        await step("Cho reacts by a command", async () => {
            cho.type("/react 🎲");
            await message(ann, "who brings the tea?").locator(".reaction", { hasText: "🎲 1" }).waitFor();
        });
        await picture(ann, "room");

        await step("Ann makes Bob a moderator", async () => {
            await ann.say("/role Bob moderator");
            await bob.page.locator("#member-list li", { hasText: "Bob" }).locator(".role", { hasText: "moderator" }).waitFor();
        });
        await step("Bob begins slow mode from his node", async () => {
            await bob.say("/slow 3600");
            await cho.sees("Bob began slow mode");
        });
        await step("Cho is held to it", async () => {
            cho.type("one");
            await cho.sees("Cho: one");
            cho.type("two");
            await cho.sees("This room is in slow mode");
        });
        await step("Bob ends it", async () => {
            await bob.say("/slow 0");
            await cho.sees("Bob ended slow mode.");
        });
        await step("Cho says something rude", async () => {
            cho.type("you are all bears");
            await bob.sees("you are all bears");
        });
        await step("Bob reports it", async () => {
            await bob.say("/report rude");
            await bob.page.getByText("You have reported the message of Cho.").waitFor();
        });
        await step("Ann hears of the report on the other node", () =>
            ann.page.locator("#notices", { hasText: "Bob has reported a message in den: rude" }).waitFor());
        await step("Ann reads it with the lines around it, and resolves it", async () => {
            await ann.say("/reports");
            const told = await ann.page.getByText(/Report \d+ by Bob: rude/).first().textContent();
            await ann.page.getByText("▶ Cho: you are all bears").waitFor();
            await ann.say(`/resolve ${/Report (\d+)/.exec(told)[1]}`);
            await ann.page.getByText(/Report \d+ is resolved\./).waitFor();
        });
        await step("Ann deletes the message", async () => {
            await message(ann, "you are all bears").hover();
            await message(ann, "you are all bears").getByRole("button", { name: "Delete" }).click();
            await bob.page.locator(".message.deleted").waitFor();
            await cho.sees("* Ann deleted a message.");
        });
        await step("Bob mutes Cho", async () => {
            await bob.say("/mute Cho 5 calm down");
            await cho.sees("Cho was muted until");
        });
        await step("Cho does not speak", async () => {
            cho.type("but why");
            await cho.sees("You are muted in this room until");
        });
        await step("Bob lets Cho speak again", async () => {
            await bob.say("/unmute Cho");
            await cho.sees("Bob let Cho speak again.");
            cho.type("sorry");
            await ann.sees("sorry");
        });

        await step("Bob logs out, and is offline for the others", async () => {
            await bob.page.getByRole("button", { name: "Log out" }).click();
            await bob.page.locator("#login").waitFor();
            await line(ann, "Bob is offline.");
            await ann.page.locator("#member-list .offline", { hasText: "Bob" }).waitFor();
        });
        await step("Ann and Cho talk, also to Bob", async () => {
            await ann.say("the tea is on the table");
            await cho.sees("the tea is on the table");
            cho.type("and the honey is in the cupboard");
            await ann.sees("and the honey is in the cupboard");
            await ann.say("@Bob come back");
            await ann.sees("@Bob come back");
        });
        await step("Ann writes to Bob alone", async () => {
            await ann.say("/dm Bob your chair is free");
            await ann.sees("your chair is free");
            await ann.page.locator("#rooms-mine .room-item", { hasText: "den" }).click();
            await ann.inRoom("den");
        });
        await step("Bob comes back and sees that he was mentioned", async () => {
            await bob.page.getByLabel("Stay logged in on this device").check();
            await bob.login("Bob", "battery staple");
            await bob.page.locator("#rooms-mine .room-item", { hasText: "den" }).locator(".badge", { hasText: "@" }).waitFor();
        });
        await picture(bob, "back");
        await step("Bob reads what he missed, below a mark", async () => {
            await bob.page.locator("#rooms-mine .room-item", { hasText: "den" }).click();
            await bob.sees("the honey is in the cupboard");
            await bob.page.locator(".rule.new").waitFor();
        });
        await step("Bob reads Ann's direct message, and answers", async () => {
            await bob.page.locator("#conversations .room-item", { hasText: "Ann" }).click();
            await bob.sees("your chair is free");
            await bob.say("on my way");
            await ann.page.locator("#conversations .room-item", { hasText: "Bob" }).locator(".badge", { hasText: "1" }).waitFor();
        });
        await step("Bob blocks Cho, whose direct message is refused", async () => {
            await bob.page.locator("#rooms-mine .room-item", { hasText: "den" }).click();
            await bob.say("/block Cho");
            await bob.banner("Cho is blocked");
            cho.type("/dm Bob hey");
            await cho.sees("takes no messages and invitations from you");
        });
        await step("Bob unblocks Cho, whose direct message comes", async () => {
            await bob.say("/unblock Cho");
            await bob.banner("Cho is no longer blocked.");
            cho.type("/dm Bob friends?");
            await bob.page.locator("#conversations .room-item", { hasText: "Cho" }).locator(".badge", { hasText: "1" }).waitFor();
        });
        await step("Ann searches her rooms", async () => {
            await ann.say("/search honey");
            await ann.page.locator("#search-note", { hasText: "message" }).waitFor();
            await ann.page.locator("#search-found button", { hasText: "Cho in den" }).click();
            await ann.page.locator(".message.found", { hasText: "the honey is in the cupboard" }).waitFor();
        });
        await picture(ann, "search");
        await step("Cho searches as well", async () => {
            cho.type("/search cupboard");
            await cho.sees("the honey is in the cupboard");
        });
        await step("Ann makes a private room and invites Bob, who is at the other node", async () => {
            await ann.page.getByRole("button", { name: "New room" }).click();
            await ann.page.locator("#create-name").fill("secret");
            await ann.page.getByLabel("Private: only players").check();
            await ann.page.getByRole("button", { name: "Create", exact: true }).click();
            await ann.inRoom("secret");
            await ann.say("/invite Bob");
            await bob.page.locator("#rooms-mine .room-item", { hasText: "secret" }).click();
            await bob.inRoom("secret");
        });
        await step("A stranger finds neither the room in a list nor a way in", async () => {
            const eve = await tcpPlayer(nodes[1], "Eve");
            const { rooms } = await eve.listRooms();
            assert.deepEqual(rooms.map(({ name, members }) => [name, members]), [["den", 3]]);
            await assert.rejects(eve.joinRoom(rooms[0].roomId + 1n), /This room is private/);
            await eve.close();
        });
        await step("Ann locks the den: a stranger stays outside", async () => {
            await ann.page.locator("#rooms-mine .room-item", { hasText: "den" }).click();
            await ann.say("/lock");
            await bob.page.locator("#rooms-mine .room-item", { hasText: "den" }).click();
            await bob.page.locator("#room-topic", { hasText: "Locked" }).waitFor();
            const eve = await tcpPlayer(nodes[1], "Eve");
            const { rooms } = await eve.listRooms();
            await assert.rejects(eve.joinRoom(rooms[0].roomId), /This room is locked/);
            await eve.close();
        });
        await step("Ann unlocks it", async () => {
            await ann.say("/unlock");
            await cho.sees("Ann unlocked the room.");
        });
        await step("Ann removes Cho, who may come back", async () => {
            await ann.say("/kick Cho");
            await cho.sees("Ann removed you from den.");
            cho.type("/exit");
            cho.type("/join den");
            await line(bob, "Cho was removed by Ann.");
            await bob.page.locator("#member-list li:not(.offline)", { hasText: "Cho" }).waitFor();
        });
        await step("Both pages are accessible", async () => {
            await accessible(ann);
            await accessible(bob);
        });

        await step("Bob's node dies", async () => {
            await nodes[1].kill();
            await bob.page.locator("#banner", { hasText: /econnecting|Connected again|You are connected|back/ }).waitFor();
        });
        await step("What Bob writes meanwhile arrives once", async () => {
            await bob.say("did the lights go out?");
            await ann.sees("did the lights go out?");
            await bob.sees("did the lights go out?");
        });
        await picture(bob, "node-died");
        await step("Ann and Cho never lost Bob", async () => {
            await ann.say("only yours");
            await Promise.all([bob.sees("only yours"), cho.sees("only yours")]);
            await ann.page.locator("#member-list li:not(.offline)", { hasText: "Bob" }).waitFor();
        });
        await step("The node comes back", () => nodes[1].restart());
        await step("A player at the new node reads the history, and finds the roles", async () => {
            const eve = await tcpPlayer(nodes[1], "Eve");
            const { rooms } = await eve.listRooms();
            const { history, members } = await eve.joinRoom(rooms[0].roomId);
            assert.equal(history.at(-1)?.text, "only yours");
            assert.deepEqual(members.map(({ name, role }) => [name, role]).sort(), [["Ann", 2], ["Bob", 1], ["Cho", 0], ["Eve", 0]]);
            await eve.leaveRoom(rooms[0].roomId);
            await eve.close();
        });
        await step("Bob still moderates", async () => {
            await bob.say("/topic After the power cut");
            await ann.page.locator("#room-topic", { hasText: "After the power cut" }).waitFor();
            await cho.sees("Bob set the topic: After the power cut");
        });
        await step("Ann reloads her page and goes on", async () => {
            await ann.page.reload();
            await ann.page.locator("#chat").waitFor();
            await ann.page.locator("#rooms-mine .room-item", { hasText: "den" }).click();
            await ann.sees("only yours");
            await ann.say("/me puts the candles away");
            await bob.sees("puts the candles away");
        });
        await step("Bob closes his browser, and the next page needs no form", async () => {
            await bob.page.close();
            bob.page = await bob.context.newPage();
            bob.page.setDefaultTimeout(60_000);
            await bob.page.goto(`http://127.0.0.1:${proxies[1].port}/`);
            await bob.page.locator("#chat").waitFor();
            await bob.page.locator("#rooms-mine .room-item", { hasText: "den" }).click();
            await bob.sees("puts the candles away");
        });
        await step("All have read the same", async () => {
            const end = (texts) => texts.map((text) => text.replace(/^Mentions you: /, "")).slice(-5);
            assert.deepEqual(end(await bob.texts()), end(await ann.texts()));
        });
        await step("Ann bans Cho for the night", async () => {
            await ann.say("/ban Cho 600 good night");
            await cho.sees("Ann banned you from den until");
            await line(bob, "Cho was banned until");
        });
        await step("Cho is told so at the door", async () => {
            cho.type("/exit");
            cho.type("/join den");
            await cho.sees("You are banned from this room until");
        });
        await step("Ann removes the room for everybody", async () => {
            await ann.say("/remove den");
            await bob.banner("Ann has removed the room den.");
            await bob.page.locator(".room-item", { hasText: "den" }).waitFor({ state: "detached" });
        });
        await picture(bob, "end");
        assert.equal(steps, 60);
        const problems = [...ann.problems, ...bob.problems];
        assert.deepEqual(problems.filter((problem) => !/WebSocket|Failed to load|net::/.test(problem)), []); // the node has died
    } catch (error) {
        throw new Error(`Step ${steps + 1} failed: ${error.message}\nThe console client has shown:\n${cho.output}`, { cause: error });
    } finally {
        await cho.dispose();
        await browser.close();
        await Promise.all([...proxies.map((proxy) => proxy.dispose()), ...nodes.map((server) => server.dispose())]);
        await run(postgres, ["remove", "--dir", folder]);
    }
});
