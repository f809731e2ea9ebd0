// Two tabs of one player: the page in a real browser, against the real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ChatServer } from "../../testing/server.mjs";
import { ChatPage, launch, skip, tcpPlayer } from "./harness.mjs";

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

test("A second tab takes nothing away from the first, shows the same rooms, and can be logged out there", { skip, timeout: 120_000 }, async () => {
    const ann = await tcpPlayer(server, "Ann");
    const { roomId } = await ann.createRoom("den");
    const [first, second] = [await ChatPage.open(browser, server.url), await ChatPage.open(browser, server.url)];
    await first.login("Bob");
    await second.login("Bob");

    await first.joinRoom("den");
    await second.page.locator(".room-item", { hasText: "den" }).click(); // it has entered by itself
    await first.say("from the first tab");
    await second.sees("from the first tab");
    await second.say("from the second tab");
    await first.sees("from the second tab");
    assert.deepEqual((await ann.listMembers(roomId)).members.map(({ member }) => member.name).sort(), ["Ann", "Bob"]);

    await first.page.locator("#text").fill("/account");
    await first.page.locator("#text").press("Enter");
    const devices = first.page.locator("#account-devices li");
    await devices.nth(1).waitFor();
    assert.equal(await devices.count(), 2);
    await devices.getByRole("button", { name: "Log out there" }).click();
    await second.page.locator("#login").waitFor();
    await first.page.locator("#account-close").click();
    await first.say("alone");
    await ann.send(roomId, "hello Bob");
    await first.sees("hello Bob");
    assert.deepEqual(first.problems, []);
    await Promise.all([first.close(), second.close(), ann.close()]);
});
