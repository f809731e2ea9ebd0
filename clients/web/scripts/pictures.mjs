// Draws the pictures of the chat page and the dashboard in the documentation: the real server, players, and Chromium. Writes into assets/.
import { fileURLToPath } from "node:url";
import { ChatServer } from "../../testing/server.mjs";
import { ChatPage, executable, launch, tcpPlayer } from "../test/harness.mjs";

const assets = fileURLToPath(new URL("../../../assets", import.meta.url));
const token = "0123456789abcdef";
const size = { width: 1040, height: 600 };

if (!executable) {
    console.error("pictures: Chromium is not installed. On Debian: apt-get install chromium.");
    process.exit(1);
}

const server = await ChatServer.start("--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0", `--Operations:Token=${token}`);
const browser = await launch();
const players = {};
try {
    for (const name of ["ada", "Zoë", "민수", "bob"]) {
        players[name] = await tcpPlayer(server, name);
    }
    const { roomId: lobby } = await players.ada.createRoom("lobby");
    await players.bob.createRoom("tournament");
    await players["민수"].createRoom("한국어 사용자 모임");
    for (const name of ["Zoë", "민수", "bob"]) {
        await players[name].joinRoom(lobby);
    }
    for (const [name, text] of [
        ["bob", "Morning! Did the tournament bracket come out yet, or do we still wait for the last two teams?"],
        ["ada", "It did 🎉 https://chat.example.org/brackets/2026/spring"],
        ["민수", "안녕하세요 여러분, 토너먼트 대진표를 보셨나요?"],
        ["Zoë", "Yes, round one starts at eight. Café at noon? 🥐"],
        ["bob", "I am in."],
    ]) {
        await players[name].send(lobby, text);
    }
    for (const colorScheme of ["light", "dark"]) {
        const chat = await ChatPage.open(browser, server.url, { viewport: size, colorScheme });
        await chat.login(colorScheme === "light" ? "kim" : "lee");
        await chat.joinRoom("lobby");
        await chat.sees("I am in.");
        await chat.page.screenshot({ path: `${assets}/chat-page-${colorScheme}.png` });
        await chat.close();
    }
    await drawDashboard(lobby);
} finally {
    await Promise.all(Object.values(players).map((player) => player.close()));
    await browser.close();
    await server.dispose();
}

// Its charts need a while of talk.
async function drawDashboard(lobby) {
    const url = /Operations: +(http\S+)/.exec(server.output)[1];
    const until = Date.now() + 45_000;
    const talk = Object.values(players).map(async (player, i) => {
        for (let n = 0; Date.now() < until; n++) {
            await player.send(lobby, `message ${n}`);
            await new Promise((resolve) => setTimeout(resolve, 40 + 30 * i + 25 * Math.sin(n / 20)));
        }
    });
    const shots = ["light", "dark"].map(async (colorScheme) => {
        const context = await browser.newContext({ viewport: { ...size, height: 760 }, locale: "en-GB", colorScheme });
        const page = await context.newPage();
        await page.goto(url);
        await page.getByLabel("Token").fill(token);
        await page.getByRole("button", { name: "Show the dashboard" }).click();
        await page.locator("#status-level", { hasText: "All is well" }).waitFor();
        await Promise.all(talk);
        // Below the line with the addresses and files of this run, down to the tables.
        await page.screenshot({ path: `${assets}/dashboard-${colorScheme}.png`, clip: { x: 0, y: 42, width: size.width, height: 400 } });
        await context.close();
    });
    await Promise.all(shots);
}
