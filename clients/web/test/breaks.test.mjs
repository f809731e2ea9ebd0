// The page when its connection breaks, the server dies, or the tab sleeps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CuttingProxy } from "../../testing/proxy.mjs";
import { ChatServer } from "../../testing/server.mjs";
import { ChatPage, launch, roomId, screenshots, skip, tcpPlayer } from "./harness.mjs";

/** Runs a test with a server of its own. */
function breakTest(name, options, body) {
    test(name, { skip, timeout: 180_000 }, async () => {
        const [server, browser] = await Promise.all([ChatServer.start(...options), launch()]);
        try {
            await body(server, browser);
        } finally {
            await browser.close();
            await server.dispose();
        }
    });
}

breakTest("Nothing is lost, doubled or reordered in 1,000 messages with 20 cuts", [], async (server, browser) => {
    const proxy = await CuttingProxy.start(server.webPort);
    const ann = await ChatPage.open(browser, `http://127.0.0.1:${proxy.port}/`);
    await ann.login("Ann");
    await ann.createRoom("cuts");
    const bob = await tcpPlayer(server, "Bob");
    const room = await roomId(bob, "cuts");
    await bob.joinRoom(room);

    // What the page has shown, in the order in which it came, however much of it is in the page now.
    await ann.page.evaluate(() => {
        window.shown = [];
        new MutationObserver((records) => {
            for (const node of records.flatMap((record) => [...record.addedNodes])) {
                if (node.matches?.(".message") && node.parentElement?.className === "timeline") {
                    window.shown.push(node.querySelector(".text").textContent);
                }
            }
        }).observe(document.querySelector(".timeline"), { childList: true });
    });

    const half = 500;
    const sent = [];
    const all = new Promise((resolve) => {
        bob.on("message", ({ message }) => {
            // A cut each 48 messages, in the midst of what both sides send.
            if (!message.system && sent.push(message.text) % 48 === 0 && proxy.cuts < 20) {
                proxy.cut();
            }
            if (sent.length === 2 * half) {
                resolve();
            }
        });
    });
    const fromPage = ann.page.evaluate((count) => {
        for (let i = 0; i < count; i++) {
            document.querySelector("#text").value = `page ${i}`;
            document.querySelector("#composer").requestSubmit();
        }
    }, half);
    for (let i = 0; i < half; i++) {
        await bob.send(room, `tcp ${i}`);
    }
    await fromPage;
    await all;
    await ann.page.waitForFunction((count) => window.shown.length >= count, sent.length);
    await ann.page.waitForFunction(() => document.querySelector(".message.waiting") === null);
    const shown = await ann.page.evaluate(() => window.shown);

    assert.equal(proxy.cuts, 20);
    assert.deepEqual(shown, sent);
    assert.deepEqual(sent.filter((text) => text.startsWith("page")), Array.from({ length: half }, (_, i) => `page ${i}`));
    assert.deepEqual(ann.problems.filter((problem) => !problem.includes("WebSocket")), []);
    await bob.close();
    await ann.close();
    await proxy.dispose();
});

breakTest("The banner says how many messages came while the page was away", [], async (server, browser) => {
    const proxy = await CuttingProxy.start(server.webPort);
    const ann = await ChatPage.open(browser, `http://127.0.0.1:${proxy.port}/`);
    await ann.login("Ann");
    await ann.createRoom("away");
    const bob = await tcpPlayer(server, "Bob");
    const room = await roomId(bob, "away");
    await bob.joinRoom(room);
    await ann.page.evaluate(() => Object.defineProperty(navigator, "onLine", { value: false, configurable: true }));
    proxy.cut();
    await ann.banner("Your device is offline. Reconnecting…");
    await ann.page.screenshot({ path: `${screenshots}/1280-light-offline.png` });
    for (const text of ["one", "two", "three"]) {
        await bob.send(room, text);
    }
    await ann.say("written offline");
    await ann.page.evaluate(() => {
        Object.defineProperty(navigator, "onLine", { value: true, configurable: true });
        window.dispatchEvent(new Event("online"));
    });
    await ann.banner("You are connected again. 3 messages while you were away.");
    await ann.page.screenshot({ path: `${screenshots}/1280-light-back.png` });
    await ann.sees("written offline");
    assert.deepEqual(await ann.texts(), ["one", "two", "three", "written offline"]);
    await bob.close();
    await proxy.dispose();
});

breakTest("After a kill -9 and a restart the page is back in its room by itself", ["--ChatLog:Durability=Stored"], async (server, browser) => {
    const ann = await ChatPage.open(browser, server.url);
    await ann.login("Ann");
    await ann.createRoom("phoenix");
    await ann.say("before the kill");
    await ann.sees("before the kill");
    await server.kill();
    await ann.banner("Reconnecting…");
    await server.restart();
    await ann.banner("You are connected again.");
    await ann.say("after the restart");
    await ann.sees("after the restart");
    assert.deepEqual(await ann.texts(), ["before the kill", "after the restart"]);
    const bob = await tcpPlayer(server, "Bob");
    const room = await roomId(bob, "phoenix");
    await bob.joinRoom(room);
    await bob.send(room, "hello again");
    await ann.sees("hello again");
    await bob.close();
});

breakTest("After a restart the members that were there before are not announced, and a new one is", [], async (server, browser) => {
    const [ann, bob] = [await ChatPage.open(browser, server.url), await ChatPage.open(browser, server.url)];
    await ann.login("Ann");
    await ann.createRoom("constant");
    await bob.login("Bob");
    await bob.joinRoom("constant");
    await ann.page.locator(".line", { hasText: "Bob has joined the room." }).waitFor();
    await server.stop();
    await ann.banner("Reconnecting…");
    await server.restart();
    for (const chat of [ann, bob]) {
        await chat.banner("You are connected again.");
        await chat.page.locator("#member-count", { hasText: "2 members" }).waitFor();
    }
    const carl = await tcpPlayer(server, "Carl");
    await carl.joinRoom(await roomId(carl, "constant"));
    for (const chat of [ann, bob]) {
        await chat.page.locator(".line", { hasText: "Carl has joined the room." }).waitFor();
    }
    assert.deepEqual(await ann.page.locator(".line").allTextContents(), ["Bob has joined the room.", "Carl has joined the room."]);
    assert.deepEqual(await bob.page.locator(".line").allTextContents(), ["Carl has joined the room."]);
    await carl.close();
});

breakTest("A connection that has died without a word is told to the reader, and the page returns", [], async (server, browser) => {
    const proxy = await CuttingProxy.start(server.webPort);
    const ann = await ChatPage.open(browser, `http://127.0.0.1:${proxy.port}/`);
    await ann.login("Ann");
    await ann.createRoom("silent");
    await ann.page.evaluate(() => {
        window.told = [];
        const banner = document.querySelector("#banner");
        new MutationObserver(() => window.told.push(banner.textContent)).observe(banner, { childList: true });
    });
    proxy.silence();
    await ann.banner("You are connected again.");
    assert.ok((await ann.page.evaluate(() => window.told)).includes("The server does not answer. Reconnecting…"));
    await ann.say("here again");
    await ann.sees("here again");
    await proxy.dispose();
});

const impatient = ["--PlayChat:Sessions:IdleTimeout=00:00:06", "--PlayChat:Sessions:HeartbeatInterval=00:00:02"];

// A process that is stopped is a tab that sleeps: nothing of it runs, and its connection stands until the server gives it up.
async function signalPages(browser, signal) {
    const cdp = await browser.newBrowserCDPSession();
    const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
    processInfo.filter(({ type }) => type === "renderer").forEach(({ id }) => process.kill(id, signal));
}

breakTest("A tab that slept until the server gave it up returns when it is woken", impatient, async (server, browser) => {
    const ann = await ChatPage.open(browser, server.url);
    await ann.login("Ann");
    await ann.createRoom("sleep");
    const bob = await tcpPlayer(server, "Bob");
    const room = await roomId(bob, "sleep");
    await bob.joinRoom(room);
    const away = new Promise((resolve) => {
        let heard = 0;
        bob.on("message", () => ++heard === 3 && resolve());
    });
    await signalPages(browser, "SIGSTOP");
    await server.untilLogged(/disconnected: .?IdleTimeout/); // the first line of the start names the setting, too
    for (const text of ["one", "two", "three"]) {
        await bob.send(room, text);
    }
    await away;
    await signalPages(browser, "SIGCONT");
    await ann.banner("3 messages while you were away.");
    assert.deepEqual(await ann.texts(), ["one", "two", "three"]);
    await bob.close();
});
