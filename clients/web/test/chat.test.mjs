// The page in a real browser, against the real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { ErrorCode, PacketId } from "@playchat/client";
import { SErrorNtfSchema } from "../../typescript/dist/gen/error_pb.js";
import { decodePackets, encodePacket } from "../../core/dist/wire.js";
import { ChatServer } from "../../testing/server.mjs";
import { ChatPage, collect, launch, roomId, skip, tcpPlayer } from "./harness.mjs";

let server;
let browser;
const open = [];

before(async () => {
    if (!skip) {
        // Rooms of one test are gone in the next one. Where they last: lasting.test.mjs.
        const options = ["--PlayChat:Rooms:MaxMembers=4", "--PlayChat:Sessions:MaxPerUser=1", "--Rooms:Lasting=false"];
        [server, browser] = await Promise.all([ChatServer.start(...options), launch()]);
    }
});
after(async () => {
    await browser?.close();
    await server?.dispose();
});

/** Runs a test; afterwards no page may have had an error, broken its policy, or asked another host for anything. */
function browserTest(name, body) {
    test(name, { skip, timeout: 120_000 }, async (context) => {
        await body(context);
        const pages = open.splice(0);
        const problems = pages.flatMap((page) => page.problems);
        const foreign = pages.flatMap((page) => page.foreign);
        await Promise.all(pages.map((page) => page.close()));
        assert.deepEqual(problems, []);
        assert.deepEqual(foreign, []);
    });
}

async function page(name, options) {
    const chat = await ChatPage.open(browser, server.url, options);
    open.push(chat);
    if (name !== undefined) {
        await chat.login(name);
    }
    return chat;
}

browserTest("Two pages and a TCP client in one room see the same messages in the same order", async () => {
    const [ann, bob] = [await page("Ann"), await page("Bob")];
    await ann.createRoom("mixed");
    await bob.joinRoom("mixed");
    const carl = await tcpPlayer(server, "Carl");
    const received = collect(carl, 30);
    await carl.joinRoom(await roomId(carl, "mixed"));
    await Promise.all([
        (async () => { for (let i = 0; i < 10; i++) await ann.say(`ann ${i}`); })(),
        (async () => { for (let i = 0; i < 10; i++) await bob.say(`bob ${i}`); })(),
        (async () => { for (let i = 0; i < 10; i++) await carl.send(carl.rooms[0].roomId, `carl ${i}`); })(),
    ]);
    const order = await received;
    await Promise.all([ann.sees(order.at(-1)), bob.sees(order.at(-1))]);
    assert.deepEqual(await ann.texts(), order);
    assert.deepEqual(await bob.texts(), order);
    assert.equal(await ann.page.locator("#member-count").textContent(), "3 members");
    await ann.page.locator(".room-item", { hasText: "mixed" }).locator(".count", { hasText: "3" }).waitFor();
    await carl.close();
    await ann.page.locator(".line", { hasText: "Carl has left the room." }).waitFor();
    assert.equal(await ann.page.locator("#member-count").textContent(), "2 members");
});

browserTest("The Enter that ends a Korean word does not send the message", async () => {
    const ann = await page("Ann");
    await ann.createRoom("korean");
    const cdp = await ann.context.newCDPSession(ann.page);
    const enter = (keyCode) => cdp.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "Enter", code: "Enter", windowsVirtualKeyCode: keyCode });
    await ann.page.locator("#text").focus();
    await cdp.send("Input.imeSetComposition", { text: "안녕", selectionStart: 2, selectionEnd: 2 });
    await enter(229); // what an input method sends while it composes
    await enter(13);
    assert.equal(await ann.page.locator(".message").count(), 0);
    await cdp.send("Input.insertText", { text: "안녕하세요 👋" });
    await ann.page.locator("#text").press("Enter");
    await ann.sees("안녕하세요 👋");
    assert.deepEqual(await ann.texts(), ["안녕하세요 👋"]);
});

browserTest("A wrong password says so, and the right one logs in", async () => {
    const first = await page();
    await first.login("Wendy", "correct horse");
    await first.page.getByRole("button", { name: "Log out" }).click();
    await first.page.locator("#login").waitFor();
    await first.page.locator("#login-password").fill("battery staple");
    await first.page.getByRole("button", { name: "Log in" }).click();
    await first.page.locator("#login-password-error", { hasText: "Incorrect name or password." }).waitFor();
    await first.login("Wendy", "correct horse");
    assert.equal(await first.page.locator("#me-name").textContent(), "Wendy");
});

browserTest("A full room says so, and the player stays where it was", async () => {
    const players = [];
    for (const name of ["F1", "F2", "F3", "F4"]) {
        players.push(await tcpPlayer(server, name));
    }
    const { roomId: full } = await players[0].createRoom("full room");
    for (const player of players.slice(1)) {
        await player.joinRoom(full);
    }
    const ann = await page("Ann");
    await ann.page.getByLabel("Search rooms").fill("full room");
    await ann.page.locator("#rooms-others .room-item", { hasText: "full" }).click();
    await ann.banner(`Room ${full} is full (4 members).`);
    assert.ok(await ann.page.locator("#no-room").isVisible());
    await Promise.all(players.map((player) => player.close()));
});

browserTest("Hostile text is text: markup, turned directions, towers of marks, deceiving links", async () => {
    const ann = await page("Ann");
    await ann.createRoom("<img src=x onerror=alert(1)>");
    const mallory = await tcpPlayer(server, "Mallory");
    const room = await roomId(mallory, "<img src=x onerror=alert(1)>");
    await mallory.joinRoom(room);
    const hostile = [
        "<script>window.hacked = true</script><img src=x onerror=\"window.hacked = true\">",
        "javascript:alert(1) data:text/html,x https://bank.example@evil.example/",
        "a\u202Egnp.exe\u2066 b\u200Fc",
        `z${"\u0301\u0334\u0489".repeat(600)}`,
        "https://example.org/a_(b). and http://한국.example/x",
        "w".repeat(3000),
    ];
    for (const text of hostile) {
        await mallory.send(room, text);
    }
    await ann.sees("wwww");
    const { page: tab } = ann;
    assert.equal(await tab.evaluate(() => window.hacked), undefined);
    assert.equal(await tab.locator("#timelines img, #timelines script, #room-name img").count(), 0);
    assert.equal((await ann.texts())[0], hostile[0]);
    assert.deepEqual(await tab.locator("#timelines a").evaluateAll((links) => links.map((link) => [link.href, link.rel])), [
        ["https://example.org/a_(b)", "noopener noreferrer nofollow"],
        ["http://xn--3e0b707e.example/x", "noopener noreferrer nofollow"],
    ]);
    // Nothing of it may be wider than the room, or be drawn over another message.
    const boxes = await tab.locator(".message .text").evaluateAll((texts) => texts.map((text) => [text.scrollWidth - text.clientWidth, text.scrollHeight]));
    assert.ok(boxes.every(([over]) => over <= 1), JSON.stringify(boxes));
    assert.ok(boxes[3][1] < 120, `the tower of marks is ${boxes[3][1]} px high`);
    // The server takes marks out; a page must be safe without that.
    const overlap = await tab.evaluate(() => {
        const texts = [...document.querySelectorAll(".message .text")];
        texts[3].textContent = `z${"\u0301\u0334".repeat(2000)}`;
        return getComputedStyle(texts[3]).overflow;
    });
    assert.match(overlap, /clip|hidden/);
    await mallory.close();
});

browserTest("History is read on scrolling up, to the beginning of the room, and each message is there once", async () => {
    const writer = await tcpPlayer(server, "Writer");
    const { roomId: room } = await writer.createRoom("long");
    for (let i = 0; i < 180; i++) {
        await writer.send(room, `line ${String(i).padStart(3, "0")}`);
    }
    const ann = await page("Ann");
    await ann.joinRoom("long");
    await ann.sees("line 179");
    const timeline = ann.page.locator(".timeline");
    assert.ok((await ann.texts()).length < 180);
    for (let i = 0; i < 30 && !(await ann.page.getByText("This is where the room begins.").isVisible()); i++) {
        await timeline.evaluate((element) => (element.scrollTop = 0));
        await ann.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    }
    await ann.page.getByText("This is where the room begins.").waitFor();
    assert.deepEqual(await ann.texts(), Array.from({ length: 180 }, (_, i) => `line ${String(i).padStart(3, "0")}`));
    // A message that arrives now does not move what is being read.
    await timeline.evaluate((element) => (element.scrollTop = 0));
    await writer.send(room, "news");
    await ann.page.getByRole("button", { name: "1 new message" }).click();
    await ann.sees("news");
    await ann.page.getByRole("button", { name: "1 new message" }).waitFor({ state: "hidden" });
    await writer.close();
});

browserTest("Unread messages are counted for the rooms that are not shown, and marked where they begin", async () => {
    const ann = await page("Ann");
    await ann.createRoom("quiet");
    await ann.createRoom("loud");
    const bob = await tcpPlayer(server, "Bob");
    const quiet = await roomId(bob, "quiet");
    await bob.joinRoom(quiet);
    await bob.send(quiet, "one");
    await bob.send(quiet, "two");
    await ann.page.locator(".room-item", { hasText: "quiet" }).locator(".badge", { hasText: "2" }).waitFor();
    assert.equal(await ann.page.title(), "(2) loud · PlayChat");
    await ann.page.locator(".room-item", { hasText: "quiet" }).click();
    await ann.page.locator(".rule.new").waitFor();
    assert.equal(await ann.page.locator(".room-item .badge").count(), 0);
    assert.equal(await ann.page.title(), "quiet · PlayChat");
    await bob.close();
});

browserTest("A page that is loaded again continues its session without a login", async () => {
    const ann = await page("Ann");
    await ann.createRoom("reload");
    const bob = await tcpPlayer(server, "Bob");
    const room = await roomId(bob, "reload");
    await bob.joinRoom(room);
    await ann.say("before");
    await ann.sees("before");
    await ann.page.reload();
    await ann.inRoom("reload");
    await ann.sees("before");
    await bob.send(room, "after");
    await ann.sees("after");
    assert.deepEqual(await ann.texts(), ["before", "after"]);
    assert.equal(await ann.page.locator("#member-count").textContent(), "2 members");
    assert.equal(bob.room(room).members.length, 2);
    await bob.close();
});

browserTest("A reload while the database is away keeps the session, and continues it when the database is back", async () => {
    const ann = await page("Ann");
    await ann.createRoom("patient");
    let refusals = 0;
    await ann.page.routeWebSocket("**/ws", (socket) => {
        const upstream = socket.connectToServer();
        socket.onMessage((message) => {
            const [{ id, requestId }] = decodePackets(new Uint8Array(message).buffer);
            if (id === PacketId.C_RESUME_REQ && refusals-- > 0) {
                const refusal = create(SErrorNtfSchema, { code: ErrorCode.STORAGE_UNAVAILABLE, message: "No.", retryAfterMs: 1 });
                socket.send(Buffer.from(encodePacket(PacketId.S_ERROR_NTF, requestId, toBinary(SErrorNtfSchema, refusal))));
            } else {
                upstream.send(message);
            }
        });
    });
    refusals = 1;
    await ann.page.reload();
    await ann.page.locator("#login-notice", { hasText: "Continuing your session…" }).waitFor();
    await ann.inRoom("patient");
    refusals = Infinity;
    await ann.page.reload();
    await ann.page.locator("#login-notice", { hasText: "Your session could not be continued yet. Load the page again in a moment." }).waitFor();
    refusals = 0;
    await ann.page.reload();
    await ann.inRoom("patient");
});

browserTest("A second tab asks before it takes over, and the first one is told what happened", async () => {
    const [first, second] = [await page("Twin"), await page()];
    await first.createRoom("alone");
    await second.fillLogin("Twin");
    await second.page.locator("#login-error", { hasText: "Twin is logged in elsewhere" }).waitFor();
    await first.say("still here");
    await first.sees("still here");
    await second.page.getByRole("button", { name: "Log in here" }).click();
    await second.page.locator("#chat").waitFor();
    await first.page.locator("#login-notice", { hasText: "You have logged in elsewhere, so this session has ended" }).waitFor();
});

browserTest("An account is created where the player asks for that, and a login with an unknown name creates none", async () => {
    const ann = await page();
    await ann.fillLogin("Typing Eror");
    await ann.page.locator("#login-name-error", { hasText: "There is no account Typing Eror." }).waitFor();
    await ann.page.locator("#login-name").fill("Typing Error");
    assert.equal(await ann.page.locator("#login-name-error").textContent(), "");
    await ann.page.getByRole("button", { name: "Log in" }).click();
    await ann.page.locator("#login-name-error", { hasText: "There is no account Typing Error." }).waitFor();
    assert.equal(await ann.page.locator("#login-name").getAttribute("aria-invalid"), "true");
    await ann.createAccount("Typing Error", "correct horse");
    await ann.page.locator("#chat").waitFor();
    assert.equal(await ann.page.locator("#me-name").textContent(), "Typing Error");
    const bob = await page();
    await bob.createAccount("typing error", "correct horse");
    await bob.page.locator("#login-name-error", { hasText: "The name typing error is taken." }).waitFor();
});

browserTest("The form to create an account shows its rules, and the password on demand", async () => {
    const { page: form } = await page();
    const [rule, password] = [form.locator("#login-password-rule"), form.locator("#login-password")];
    assert.equal(await rule.isVisible(), false);
    await form.getByRole("radio", { name: "Log in" }).focus();
    await form.keyboard.press("ArrowRight");
    await rule.waitFor();
    assert.equal(await password.getAttribute("autocomplete"), "new-password");
    await password.fill("battery staple");
    await form.getByRole("button", { name: "Show the password" }).click();
    assert.deepEqual([await password.getAttribute("type"), await password.inputValue()], ["text", "battery staple"]);
    await form.getByRole("button", { name: "Create account" }).click();
    await form.locator("#login-name-error", { hasText: "Enter a name." }).waitFor();
});

browserTest("A name that is refused is refused for its own reason", async () => {
    const ann = await page();
    for (const [name, why] of [["system", "The name is reserved"], ["ad\u0430", "The name mixes letters"], ["ada  l", "two spaces in a row"]]) {
        await ann.fillLogin(name);
        await ann.page.locator("#login-name-error", { hasText: why }).waitFor();
    }
});

browserTest("Rooms of one name are told apart by their numbers, and a single one has none", async () => {
    const ann = await page("Ann");
    const bot = await tcpPlayer(server, "twin bot");
    const { roomId: other } = await bot.createRoom("Twins");
    await ann.createRoom("twins");
    const own = await roomId(bot, "twins");
    await ann.page.locator("#rooms-mine .room-item", { hasText: `twins no. ${own}` }).waitFor();
    await ann.page.locator("#rooms-others .room-item", { hasText: `Twins no. ${other}` }).waitFor();
    await bot.close();
    await ann.page.getByLabel("Search rooms").fill("twins");
    await ann.page.locator("#rooms-mine .room-item .type").waitFor({ state: "detached" });
});

browserTest("A message that mentions the reader is marked, also for a screen reader", async () => {
    const ann = await page("Ann");
    await ann.createRoom("mentions");
    const bot = await tcpPlayer(server, "naming bot");
    const id = await roomId(bot, "mentions");
    await bot.joinRoom(id);
    await bot.send(id, "@Annette is no name of hers");
    await bot.send(id, "Ann, hi");
    await bot.send(id, "hello @ann!");
    await ann.page.locator(".message.mention", { hasText: "Mentions you: hello @ann!" }).waitFor();
    assert.equal(await ann.page.locator(".message.mention").count(), 1);
    // Forced colours take backgrounds and shadows away.
    await ann.page.emulateMedia({ forcedColors: "active" });
    for (const marked of [".message.mention", ".room-item[aria-current]"]) {
        assert.equal(await ann.page.locator(marked).evaluate((element) => getComputedStyle(element).borderInlineStartWidth), "3px", marked);
    }
});

browserTest("Commands that other chats have do their thing, or say what to do instead", async () => {
    const ann = await page("Ann");
    await ann.createRoom("commands");
    await ann.say("/me waves");
    await ann.sees("*waves*");
    await ann.say("/Whois Ann");
    await ann.page.locator("#text-note", { hasText: "Nothing is known of a player but the name." }).waitFor();
    await ann.say("/dance");
    await ann.page.locator("#text-note", { hasText: "There is no command /dance." }).waitFor();
    await ann.say("/clear");
    await ann.page.locator(".start", { hasText: "You have cleared this room here." }).waitFor();
    assert.deepEqual(await ann.texts(), []);
    await ann.say("after");
    await ann.sees("after");
    assert.deepEqual(await ann.texts(), ["after"]);
    await ann.say("/NAMES");
    await ann.page.locator("body[data-members=open]").waitFor();
    await ann.say("/create another room");
    await ann.page.waitForFunction(() => document.querySelector("#create-name").value === "another room");
    await ann.page.getByRole("button", { name: "Create", exact: true }).click();
    await ann.inRoom("another room");
    await ann.say("/join commands");
    await ann.page.waitForFunction(() => document.activeElement.value === "commands");
    await ann.page.keyboard.press("Enter");
    await ann.inRoom("commands");
    await ann.say("/part");
    await ann.page.locator("#no-room").waitFor();
    assert.equal(await ann.page.locator("#rooms-mine .room-item").count(), 1);
});

browserTest("A number behind /join joins at once, also a room that is not in the list, and an option is no part of a name", async () => {
    const ann = await page("Ann");
    await ann.createRoom("first stop");
    const bot = await tcpPlayer(server, "number bot");
    const { roomId: other } = await bot.createRoom("by number");
    await ann.say(`/join ${other}`);
    await ann.inRoom("by number");
    await ann.say(`/join ${await roomId(bot, "first stop")}`);
    await ann.inRoom("first stop");
    assert.equal(await ann.page.locator("#rooms-mine .room-item").count(), 2);
    await ann.say("/join 987654321");
    await ann.banner("There is no room 987654321. List the rooms to see which there are.");
    await ann.inRoom("first stop");
    for (const line of ["/create trivia --type quiz", "/rooms --type quiz"]) {
        await ann.say(line);
        await ann.page.locator("#text-note", { hasText: "The page has no option --type." }).waitFor();
        assert.equal(await ann.page.locator("#text").inputValue(), line);
    }
    await bot.close();
});

browserTest("What was cleared stays away: also when it was being read, and when many messages follow", async () => {
    const writer = await tcpPlayer(server, "Clear writer");
    const { roomId: room } = await writer.createRoom("cleared");
    for (let i = 0; i < 120; i++) {
        await writer.send(room, `old ${i}`);
    }
    const ann = await page("Ann");
    await ann.joinRoom("cleared");
    await ann.sees("old 119");
    await ann.page.evaluate(() => new Promise((resolve) => {
        // Scrolling up asks for older messages before the next frame is drawn; no answer can come before the line is entered there.
        document.querySelector(".timeline").scrollTop = 0;
        requestAnimationFrame(() => {
            document.querySelector("#text").value = "/clear";
            document.querySelector("#composer").requestSubmit();
            resolve();
        });
    }));
    await ann.say("after");
    await ann.sees("after");
    assert.deepEqual(await ann.texts(), ["after"]);
    for (let i = 0; i < 620; i++) {
        await writer.send(room, `new ${i}`);
    }
    await ann.sees("new 619");
    const cleared = ann.page.locator(".start", { hasText: "You have cleared this room here." });
    await cleared.waitFor({ state: "hidden" });
    for (let i = 0; i < 30 && !(await cleared.isVisible()); i++) {
        await ann.page.locator(".timeline").evaluate((element) => (element.scrollTop = 0));
        await ann.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    }
    await cleared.waitFor();
    assert.deepEqual(await ann.texts(), ["after", ...Array.from({ length: 620 }, (_, i) => `new ${i}`)]);
    await writer.close();
});

browserTest("Everything can be done with the keyboard alone", async () => {
    const ann = await page();
    const { keyboard } = ann.page;
    const focused = () => ann.page.evaluate(() => document.activeElement.id || document.activeElement.textContent);
    await keyboard.type("Keys");
    await keyboard.press("Enter");
    await ann.page.locator("#login-name-error", { hasText: "There is no account" }).waitFor();
    assert.equal(await focused(), "login-name");
    await keyboard.press("Shift+Tab");
    await keyboard.press("ArrowDown");
    await ann.page.getByRole("button", { name: "Create account" }).waitFor();
    await keyboard.press("Enter");
    await ann.page.locator("#chat").waitFor();
    await keyboard.press("Control+k");
    assert.equal(await focused(), "room-search");
    await keyboard.press("Tab");
    await keyboard.press("Enter");
    await keyboard.type("by keyboard");
    await keyboard.press("Enter");
    await ann.inRoom("by keyboard");
    assert.equal(await focused(), "text");
    await keyboard.type("first line");
    await keyboard.press("Shift+Enter");
    await keyboard.type("second line");
    await keyboard.press("Enter");
    await ann.sees("second line");
    assert.deepEqual(await ann.texts(), ["first line\nsecond line"]);
    await ann.createRoom("another");
    await keyboard.press("Alt+ArrowDown");
    await ann.inRoom("by keyboard");
    await keyboard.press("Control+m");
    await keyboard.press("Control+/");
    await ann.page.locator("#help-dialog").waitFor();
    await keyboard.press("Escape");
    await ann.page.locator("#help-dialog").waitFor({ state: "hidden" });
    await keyboard.press("Control+k");
    await keyboard.type("anoth");
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await ann.inRoom("another");
});

browserTest("Direct messages are shown, and sent by /msg; no other line with a slash is ever posted", async () => {
    const ann = await page("Ann");
    await ann.createRoom("direct");
    const bot = await tcpPlayer(server, "chat bot");
    const id = await roomId(bot, "direct");
    await bot.joinRoom(id);
    const heard = collect(bot, 1);
    const direct = new Promise((resolve) => bot.on("direct", ({ message }) => resolve(message)));
    await ann.page.locator("#member-count", { hasText: "2 members" }).waitFor();

    await ann.say("/msg Chat bot hi there");
    const message = await direct;
    await bot.sendDirect(message.playerId, "hello https://example.org");
    await ann.page.locator(".line.direct", { hasText: "[to chat bot] hi there" }).waitFor();
    await ann.page.locator(".line.direct", { hasText: "[from chat bot] hello" }).locator("a").waitFor();
    assert.equal(message.text, "hi there");

    for (const line of ["/msg nobody hi", "/secret plan", "/", "/msg chat bot", "/query nobody hi"]) {
        await ann.say(line);
        await ann.page.locator("#text-note.over").waitFor();
        assert.equal(await ann.page.locator("#text").inputValue(), line);
    }
    await ann.say("//slash");
    assert.deepEqual(await heard, ["/slash"]);
    assert.deepEqual(await ann.texts(), ["/slash"]);
});

browserTest("A direct message to a player without an open room is told above the chat, until it is closed", async () => {
    const ann = await page("Ann");
    const bot = await tcpPlayer(server, "other bot");
    const { roomId: meeting } = await bot.createRoom("meeting");
    await ann.joinRoom("meeting");
    const { playerId } = bot.room(meeting).members.find(({ name }) => name === "Ann");
    await ann.page.getByRole("button", { name: "Leave" }).click();
    await ann.page.locator("#no-room").waitFor();
    const notices = ann.page.locator("#notices .banner");
    await bot.sendDirect(playerId, "first");
    await bot.sendDirect(playerId, "second");
    await notices.filter({ hasText: "[from other bot] second" }).waitFor();
    assert.equal(await notices.count(), 2);
    await notices.filter({ hasText: "[from other bot] first" }).getByRole("button", { name: "Close" }).click();
    assert.deepEqual(await notices.allTextContents(), ["[from other bot] second Close"]);

    // A narrow screen shows the list of rooms in place of the room.
    await ann.page.setViewportSize({ width: 390, height: 700 });
    await ann.joinRoom("meeting");
    await bot.sendDirect(playerId, "in the room");
    await ann.page.locator(".line.direct", { hasText: "[from other bot] in the room" }).waitFor();
    assert.equal(await notices.count(), 1);
    await ann.page.getByRole("button", { name: "Back to the rooms" }).click();
    await bot.sendDirect(playerId, "behind the list");
    await notices.filter({ hasText: "[from other bot] behind the list" }).waitFor();
});

browserTest("What was being written is there after a reload, in each room", async () => {
    const ann = await page("Ann");
    await ann.createRoom("draft one");
    await ann.page.locator("#text").fill("half of one");
    await ann.createRoom("draft two");
    await ann.page.locator("#text").fill("half of\ntwo");
    await ann.page.reload();
    await ann.inRoom("draft two");
    assert.equal(await ann.page.locator("#text").inputValue(), "half of\ntwo");
    await ann.page.locator("#rooms-mine .room-item", { hasText: "draft one" }).click();
    await ann.inRoom("draft one");
    assert.equal(await ann.page.locator("#text").inputValue(), "half of one");
});

browserTest("A held Enter and a second click do not answer the question about taking over", async () => {
    await tcpPlayer(server, "Busy");
    const { page } = await ChatPage.open(browser, server.url);
    const submit = page.locator("#login-submit");
    const asked = page.locator("#login-error", { hasText: "is logged in elsewhere" });
    await page.locator("#login-name").fill("Busy");
    await page.keyboard.down("Enter");
    await asked.waitFor();
    await page.keyboard.down("Enter"); // the key repeats
    await page.keyboard.up("Enter");
    await page.locator("#login-name").fill("busy");
    await submit.click();
    await asked.waitFor();
    await submit.hover();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    assert.equal(await submit.textContent(), "Log in here");
    await submit.press("Enter");
    await page.locator("#chat").waitFor();
});

browserTest("After a reload the newest message is in view", async () => {
    const ann = await page("Ann");
    await ann.createRoom("long");
    for (let i = 0; i < 30; i++) {
        await ann.say(`line ${i}`);
    }
    await ann.sees("line 29");
    await ann.page.reload();
    await ann.sees("line 29");
    await ann.page.locator(".start", { hasText: "begins" }).waitFor({ state: "attached" });
    const below = await ann.page.evaluate(() => {
        const log = document.querySelector(".timeline");
        return log.scrollHeight - log.clientHeight - log.scrollTop;
    });
    assert.ok(below <= 1, `${below} px below the view`);
});
