// Staying logged in: the page in a real browser, against the real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ChatServer } from "../../testing/server.mjs";
import { ChatPage, launch, skip } from "./harness.mjs";

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

/** A page in a browser of its own, whose player stays logged in. */
async function keep(name) {
    const chat = await ChatPage.open(browser, server.url);
    await chat.page.getByLabel("Stay logged in on this device").check();
    await chat.login(name, "correct horse");
    return chat;
}

/** Another tab of the same browser. */
async function tab(chat) {
    const page = await chat.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(server.url);
    return page;
}

const token = (page) => page.evaluate(() => localStorage.getItem("playchat.login"));
const logOut = (page) => page.getByRole("button", { name: "Log out" }).click();

test("A player that stays logged in needs no form after the tab was closed and the server restarted, until it logs out", { skip, timeout: 120_000 }, async () => {
    const ann = await keep("Ann");
    const first = await token(ann.page);
    await ann.page.close();
    await server.stop();
    await server.restart();

    const page = await tab(ann);
    await page.locator("#chat").waitFor();
    assert.equal(await page.locator("#me-name").textContent(), "Ann");
    const second = await token(page);
    assert.notEqual(second, first);
    assert.doesNotMatch(JSON.stringify(await page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }])), /correct horse/);
    await page.reload(); // resumes
    await page.locator("#chat").waitFor();

    await logOut(page);
    await page.locator("#login").waitFor();
    assert.equal(await token(page), null);
    await page.evaluate((copy) => localStorage.setItem("playchat.login", copy), second);
    await page.reload();
    await page.locator("#login-notice", { hasText: "This device is no longer logged in." }).waitFor();
    assert.equal(await token(page), null);
    await ann.close();
});

test("Without the tick the form comes again", { skip, timeout: 120_000 }, async () => {
    const bob = await ChatPage.open(browser, server.url);
    await bob.login("Bob", "correct horse");
    assert.equal(await token(bob.page), null);
    await bob.page.close();

    const page = await tab(bob);
    await page.locator("#login-form").waitFor();
    await bob.close();
});

test("Tabs that log in at once stay logged in, and logging out in one logs out all", { skip, timeout: 120_000 }, async () => {
    const eva = await keep("Eva");
    const tabs = await Promise.all([tab(eva), tab(eva), tab(eva)]);
    await Promise.all(tabs.map((page) => page.locator("#chat").waitFor()));
    const more = await tab(eva);
    await more.locator("#chat").waitFor();

    await logOut(tabs[1]);
    await Promise.all([eva.page, ...tabs, more].map((page) => page.locator("#login").waitFor()));
    await more.locator("#login-notice", { hasText: "You were logged out in another tab." }).waitFor();
    await more.reload();
    await more.locator("#login-form").waitFor();
    assert.equal(await more.locator("#login-notice").isVisible(), false);
    assert.deepEqual(eva.problems, []);
    await eva.close();
});

test("A device whose tab was closed is in the list, and can be logged out there", { skip, timeout: 120_000 }, async () => {
    const laptop = await keep("Zoe");
    await laptop.page.close();
    const phone = await keep("Zoe");
    await phone.createRoom("zoo");
    const list = phone.page.locator("#account-devices li");
    await phone.say("/account");
    await list.getByRole("button", { name: "Log out there" }).click();
    await phone.page.waitForFunction(() => document.querySelectorAll("#account-devices li").length === 1);
    assert.match(await list.first().textContent(), /this device, stays logged in/);

    const page = await tab(laptop);
    await page.locator("#login-notice", { hasText: "This device is no longer logged in." }).waitFor();
    assert.deepEqual(phone.problems, []);
    await Promise.all([laptop.close(), phone.close()]);
});

test("A changed password leaves the device on which it was changed logged in, and no other", { skip, timeout: 120_000 }, async () => {
    const laptop = await keep("Mia");
    await laptop.page.close();
    const phone = await keep("Mia");
    await phone.createRoom("mill");
    await phone.say("/account");
    await phone.page.locator("#account-old").fill("correct horse");
    await phone.page.locator("#account-new").fill("battery staple");
    await phone.page.getByRole("button", { name: "Change password" }).click();
    await phone.page.locator("#account-told", { hasText: "The password was changed." }).waitFor();
    await phone.page.close();

    const again = await tab(phone);
    await again.locator("#chat").waitFor();
    const page = await tab(laptop);
    await page.locator("#login-notice", { hasText: "This device is no longer logged in." }).waitFor();
    await Promise.all([laptop.close(), phone.close()]);
});
