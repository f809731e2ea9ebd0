// What the browser tests share: Chromium, pages of the chat, and players that speak TCP.
import { mkdirSync } from "node:fs";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { connect } from "@playchat/client";
import { chromium } from "playwright-core";
import { executable, skip } from "../../testing/chromium.mjs";
import { TcpSocket } from "../../testing/tcpSocket.mjs";

export { executable, skip };

export const screenshots = fileURLToPath(new URL("../../../artifacts/screenshots", import.meta.url));
mkdirSync(screenshots, { recursive: true });

export async function launch() {
    return chromium.launch({ executablePath: executable, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

/** A page of the chat, as a person has it open. */
export class ChatPage {
    problems = [];
    foreign = [];

    /** Opens the page in a profile of its own. */
    static async open(browser, url, options = {}) {
        const self = new ChatPage();
        self.context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", timezoneId: "Asia/Seoul", ...options });
        self.page = await self.context.newPage();
        self.page.setDefaultTimeout(60_000); // a hang, not a slow machine
        // A violation of the Content-Security-Policy is an error on the console.
        self.page.on("console", (message) => message.type() === "error" && self.problems.push(message.text()));
        self.page.on("pageerror", (error) => self.problems.push(String(error)));
        self.page.on("request", (request) => new URL(request.url()).host !== new URL(url).host && self.foreign.push(request.url()));
        await self.page.goto(url);
        return self;
    }

    /** Logs in; where there is no such account it creates one, and where the page asks before it takes over, it does so. */
    async login(name, password = "") {
        const { page } = this;
        const takeOver = page.getByRole("button", { name: "Log in here" });
        const unknown = page.locator("#login-name-error", { hasText: "There is no account" });
        await this.fillLogin(name, password);
        await page.locator("#chat").or(takeOver).or(unknown).filter({ visible: true }).waitFor();
        if (await unknown.isVisible()) {
            await this.createAccount(name, password);
        } else if (await takeOver.isVisible()) {
            await takeOver.click();
        }
        await page.locator("#chat").waitFor();
    }

    async fillLogin(name, password = "") {
        const { page } = this;
        await page.getByRole("radio", { name: "Log in" }).check();
        await page.locator("#login-name").fill(name);
        await page.locator("#login-password").fill(password);
        await page.getByRole("button", { name: "Log in" }).click();
    }

    async createAccount(name, password = "") {
        const { page } = this;
        await page.getByRole("radio", { name: "Create an account" }).check();
        await page.locator("#login-name").fill(name);
        await page.locator("#login-password").fill(password);
        await page.getByRole("button", { name: "Create account" }).click();
    }

    async createRoom(name) {
        await this.page.getByRole("button", { name: "New room" }).click();
        await this.page.locator("#create-name").fill(name);
        await this.page.getByRole("button", { name: "Create", exact: true }).click();
        await this.inRoom(name);
    }

    async joinRoom(name) {
        await this.page.getByLabel("Search rooms").fill(name);
        await this.page.locator("#room-lists .room-item").first().click();
        await this.inRoom(name);
    }

    async inRoom(name) {
        await this.page.locator("#room-name", { hasText: name }).waitFor();
    }

    async say(text) {
        await this.page.locator("#text").fill(text);
        await this.page.locator("#text").press("Enter");
    }

    /** Waits for a message that the room has confirmed. */
    async sees(text) {
        await this.page.locator(".message:not(.waiting) .text", { hasText: text }).first().waitFor();
    }

    banner(text) {
        return this.page.locator("#banner", { hasText: text }).waitFor();
    }

    /** The confirmed messages that the page shows. */
    texts() {
        return this.page.locator(".message:not(.waiting) .text").allTextContents();
    }

    async close() {
        await this.context.close();
    }
}

// A player that a failed test leaves behind would keep the process alive.
const players = new Set();
after(() => Promise.all([...players].map((player) => player.close())));

/** A player on the server's TCP endpoint. */
export async function tcpPlayer(server, name, password) {
    const client = await connect(`tcp://127.0.0.1:${server.tcpPort}`, { webSocket: TcpSocket, clientVersion: "test/tcp" });
    await client.login({ name, password });
    players.add(client);
    return client;
}

/** The id of the room with this name. */
export async function roomId(client, name) {
    const { rooms } = await client.listRooms();
    return rooms.find((room) => room.name === name).roomId;
}

/** Resolves with the texts of the messages of players, once so many have come. */
export function collect(client, count) {
    const texts = [];
    return new Promise((resolve) => {
        client.on("message", ({ message }) => {
            if (!message.system && texts.push(message.text) === count) {
                resolve(texts);
            }
        });
    });
}
