import { TokenNeeded, act, hasToken, read, readIfAny, useToken } from "./api.js";
import {
    showCloses, showHistory, showRecordings, showReports, showRooms, showSessions, showSilence, showSlow, showStatus, showWebhooks,
} from "./board.js";
import { byId } from "./dom.js";
import type { Closes, DeadLetter, History, Page, Recordings, Report, Room, Session, Status, Webhook } from "./model.js";

const refreshMs = 2000;

// Tables change slower than figures, and cost the server more.
const roundsOfTables = 2;
const capacity = 450;

let history: History | undefined;
let wake: (() => void) | undefined;
let round = 0;

async function refresh(): Promise<void> {
    const status = await read<Status>("status");
    showBoard(true);
    history ??= await read<History>("history");
    if (history.points.at(-1)?.at !== status.figures.at) {
        history.points.push(status.figures);
        history.points.splice(0, history.points.length - capacity);
    }
    showStatus(status);
    showHistory(history, status, capacity);
    if (round++ % roundsOfTables === 0) {
        await refreshTables(status);
    }
}

async function refreshTables(status: Status): Promise<void> {
    const text = encodeURIComponent(byId<HTMLInputElement>("find").value.trim());
    const [rooms, slow, sessions, closes, reports, webhooks, recordings] = await Promise.all([
        read<Page<Room>>("rooms?sort=rate&measureMs=1000&limit=10"),
        read<Page<Session>>("sessions?state=slow&sort=queued&limit=10"),
        read<Page<Session>>(`sessions?limit=20${text === "" ? "" : `&text=${text}`}`),
        read<Closes>("closes?limit=20"),
        readIfAny<Page<Report>>("reports?limit=20"),
        readIfAny<Webhook[]>("webhooks"),
        read<Recordings>("recordings?limit=20"),
    ]);
    const dead = webhooks?.some((webhook) => webhook.deadLetters > 0) ?? false;
    showReports(reports, doAndShow);
    showWebhooks(webhooks ?? [], dead ? await readIfAny<Page<DeadLetter>>("webhooks/dead-letters?limit=20") : undefined, doAndShow);
    showRecordings(recordings, doAndShow);
    showRooms(rooms);
    showSlow(slow);
    showSessions(sessions, status.figures.sessions);
    showCloses(closes);
}

/** Does what an operator asks for, says what came of it, and shows the tables anew. */
function doAndShow(method: "POST" | "DELETE", path: string, body?: object): void {
    act(method, path, body).catch((error: unknown) => String(error)).then((told) => {
        byId("told").textContent = told;
        round = 0;
        wake?.();
    });
}

function showBoard(isShown: boolean): void {
    byId("board").hidden = !isShown;
    byId("login").hidden = isShown;
}

async function run(): Promise<never> {
    for (;;) {
        try {
            await refresh();
        } catch (error) {
            history = undefined; // what was missed comes with the next one
            if (error instanceof TokenNeeded) {
                byId("login-problem").hidden = !hasToken();
                showBoard(false);
                byId("token").focus();
                await new Promise<void>((resolve) => (wake = resolve));
                continue;
            }
            showBoard(true);
            showSilence(error instanceof TypeError ? "The server is unreachable." : String(error instanceof Error ? error.message : error));
        }
        await new Promise<void>((resolve) => {
            wake = resolve;
            setTimeout(resolve, refreshMs);
        });
    }
}

byId("login").addEventListener("submit", (event) => {
    event.preventDefault();
    const token = byId<HTMLInputElement>("token").value.trim();
    // A header takes visible ASCII alone; with anything else every request would fail as if the server were away.
    if (!/^[!-~]+$/.test(token)) {
        byId("login-problem").hidden = false;
        return;
    }
    useToken(token);
    wake?.();
});
byId("record").addEventListener("submit", (event) => {
    event.preventDefault();
    const number = (id: string): number => Number(byId<HTMLInputElement>(id).value);
    doAndShow("POST", "recordings", {
        room: number("record-room"), maxSeconds: number("record-minutes") * 60,
        maxBytes: Math.round(number("record-megabytes") * 1024 * 1024),
    });
});
byId("find").addEventListener("input", () => {
    round = 0;
    wake?.();
});
void run();
