import { download } from "./api.js";
import { bar, heatMap, spark } from "./charts.js";
import { button, byId, make, table } from "./dom.js";
import { bytes, count, duration, milliseconds, time } from "./format.js";
import type { Closes, DeadLetter, Figures, History, Page, Recordings, Report, Room, Session, Status, Webhook } from "./model.js";

const levels = {
    ok: ["✓", "All is well"],
    warning: ["!", "Needs attention"],
    critical: ["✕", "Critical"],
} as const;

// The map has one column for so many points, so that a column is wide enough to be seen.
const pointsOfColumn = 5;
const pointsOfMinute = 30;

interface Card {
    title: string;
    value: (now: Figures, points: Figures[]) => string;
    note: (now: Figures, status: Status) => string;
    series: (point: Figures) => number;
}

const ofMinute = (points: Figures[], value: (point: Figures) => number): number =>
    points.slice(-pointsOfMinute).reduce((sum, point) => sum + value(point), 0);

const cards: Card[] = [
    {
        title: "Connections", value: (now) => count(now.connections),
        note: (now, status) => `of ${count(status.maxConnections)}; ${count(now.away)} away`, series: (point) => point.connections,
    },
    { title: "Rooms", value: (now) => count(now.rooms), note: () => "open", series: (point) => point.rooms },
    {
        title: "Messages in", value: (now) => `${count(now.messagesInPerSecond)}/s`, note: () => "received",
        series: (point) => point.messagesInPerSecond,
    },
    {
        title: "Messages out", value: (now) => `${count(now.messagesOutPerSecond)}/s`, note: () => "sent",
        series: (point) => point.messagesOutPerSecond,
    },
    {
        title: "Handling time, p99", value: (now) => milliseconds(now.p99Ms), note: (now) => `median ${milliseconds(now.p50Ms)}`,
        series: (point) => point.p99Ms ?? 0,
    },
    {
        title: "CPU", value: (now) => `${count(now.cpuPercent)} %`, note: () => "100 % is one processor",
        series: (point) => point.cpuPercent,
    },
    {
        title: "Memory", value: (now) => bytes(now.workingSetBytes), note: (now) => `GC pauses ${milliseconds(now.gcPauseMs)}`,
        series: (point) => point.workingSetBytes,
    },
    {
        title: "Slow consumers", value: (_, points) => count(ofMinute(points, (point) => point.slowConsumers)),
        note: () => "in the last minute", series: (point) => point.slowConsumers,
    },
    {
        title: "Closed", value: (_, points) => count(ofMinute(points, (point) => point.closed)), note: () => "in the last minute",
        series: (point) => point.closed,
    },
    {
        title: "Database", value: (now) => (now.databaseOperations === null ? "none" : milliseconds(now.databaseMs)),
        note: (now) => (now.databaseFailures ? `${count(now.databaseFailures)} failures` : `${count(now.chatQueued ?? 0)} messages wait`),
        series: (point) => point.databaseMs ?? 0,
    },
];

/** Shows the status first, so that one look is enough. */
export function showStatus(status: Status): void {
    const [mark, word] = levels[status.level];
    setLevel(status.level, mark, word, status.summary);
    byId("warnings").hidden = status.warnings.length < 2; // a single one is the summary
    byId("warning-list").replaceChildren(...status.warnings.map((warning) => make("li", warning.level, warning.message)));
    const up = (Date.parse(status.figures.at) - Date.parse(status.startedAt)) / 1000;
    const store = status.database === null ? "" : ` · ${status.database}`;
    byId("facts").textContent = `${status.version} · ${status.mode} · up ${duration(up)} · ${status.endpoints.join(", ")}${store}`;
}

/** Says that there are no figures, and why. */
export function showSilence(reason: string): void {
    setLevel("critical", "✕", "No answer", `${reason} The page asks again.`);
}

export function showHistory(history: History, status: Status, capacity: number): void {
    byId("cards").replaceChildren(...cards.map((card) => make(
        "div", "card", make("h3", "", card.title), make("p", "value", card.value(status.figures, history.points)),
        make("p", "note", card.note(status.figures, status)),
        spark(history.points.map(card.series), `${card.title} in the last 15 minutes`, capacity) as unknown as HTMLElement)));
    byId("heat").replaceChildren(heatMap(
        columnsOf(history, capacity), history.latencyBounds, capacity * history.intervalSeconds));
}

export function showRooms(rooms: Page<Room>): void {
    byId("rooms").replaceChildren(table<Room>([
        { title: "Room", cell: (room) => `${room.name} (${room.id})`, kind: "name" },
        { title: "Members", cell: (room) => count(room.members), kind: "number" },
        { title: "Jobs/s", cell: (room) => count(room.jobsPerSecond ?? 0), kind: "number" },
        { title: "Waiting", cell: (room) => count(room.queuedJobs), kind: "number" },
    ], rooms.items, "There are no rooms."));
}

export function showSlow(sessions: Page<Session>): void {
    byId("slow").replaceChildren(table<Session>([
        { title: "Player", cell: nameOf, kind: "name" },
        { title: "Waits to be sent", cell: (session) => `${bytes(session.queuedBytes)} of ${bytes(session.maxQueuedBytes)}`, kind: "number" },
        { title: "Reads nothing for", cell: (session) => duration(session.blockedSeconds), kind: "number" },
        { title: "Address", cell: (session) => session.address ?? "" },
    ], sessions.items, "Every client reads fast enough. One that has stopped reading is listed when the system's buffers for it are full."));
}

export function showSessions(sessions: Page<Session>, total: number): void {
    byId("sessions").replaceChildren(
        table<Session>([
            { title: "Player", cell: nameOf, kind: "name" },
            { title: "State", cell: (session) => session.state },
            { title: "Rooms", cell: (session) => session.rooms.map((room) => room.name).join(", "), kind: "name" },
            { title: "Connected for", cell: (session) => duration(session.ageSeconds), kind: "number" },
            { title: "Received", cell: (session) => bytes(session.bytesReceived), kind: "number" },
            { title: "Sent", cell: (session) => bytes(session.bytesSent), kind: "number" },
            { title: "Waiting", cell: (session) => bytes(session.queuedBytes), kind: "number" },
            { title: "Address", cell: (session) => session.address ?? "" },
        ], sessions.items, "No session matches."),
        ...(sessions.nextAfter === null ? [] : [make("p", "empty", `The first ${sessions.items.length} of up to ${count(total)}.`)]));
}

export function showCloses(closes: Closes): void {
    const reasons = Object.entries(closes.totals).sort((a, b) => b[1] - a[1]);
    const most = Math.max(...reasons.map(([, total]) => total), 1);
    byId("reasons").replaceChildren(reasons.length === 0
        ? make("p", "empty", "No connection has ended yet.")
        : make("dl", "", ...reasons.flatMap(([reason, total]) => [
            make("dt", "", reason), make("dd", "", bar(total / most) as unknown as HTMLElement), make("dd", "number", count(total)),
        ])));
    byId("closes").replaceChildren(table<Closes["items"][number]>([
        { title: "Time", cell: (item) => time(item.at) },
        { title: "Player", cell: (item) => item.userName ?? item.address ?? "unknown", kind: "name" },
        { title: "Reason", cell: (item) => [item.reason, item.explanation] },
        { title: "After", cell: (item) => duration(item.ageSeconds), kind: "number" },
    ], closes.items, "No connection has ended yet."));
}

/** What an operator can have done with a row. */
export type Act = (method: "POST" | "DELETE", path: string, body?: object) => void;

export function showRecordings(recordings: Recordings, act: Act): void {
    byId("recordings-problem").textContent = recordings.problem ?? "";
    byId("record").hidden = recordings.problem !== null;
    showIfAny("recordings", recordings.items, (items) => [table<Recordings["items"][number]>([
        {
            title: "File",
            cell: ({ file }) => {
                const link = make("a", "", file) as HTMLAnchorElement;
                link.href = `recording.html?file=${encodeURIComponent(file)}`;
                return link;
            },
        },
        { title: "Size", cell: (item) => bytes(item.bytes), kind: "number" },
        { title: "Written", cell: (item) => new Date(item.writtenAt).toLocaleString("en-GB") },
        {
            title: "Action",
            cell: ({ file, roomId }) => {
                const path = `recordings/${encodeURIComponent(file)}`;
                return roomId === null ? button("Download", `Download ${file}`, () => void download(path, file))
                    : button("Stop", `Stop recording room ${roomId}`, () => act("POST", `${path}/stop`));
            },
        },
    ], items, "")]);
}

export function showReports(reports: Page<Report> | undefined, act: Act): void {
    showIfAny("reports", reports?.items ?? [], (items) => [table<Report>([
        { title: "Room", cell: (report) => report.roomName, kind: "name" },
        { title: "Message", cell: (report) => [textOf(report), around(report)] },
        { title: "Reported by", cell: (report) => [report.reporterName, report.reason] },
        { title: "At", cell: (report) => time(report.reportedAt) },
        {
            title: "Action",
            cell: (report) => button("Resolve", `Resolve report ${report.id}`, () => act("POST", `reports/${report.id}/resolve`)),
        },
    ], items, ""), ...(reports?.nextAfter ? [make("p", "empty", `The first ${items.length}.`)] : [])]);
}

export function showWebhooks(webhooks: Webhook[], dead: Page<DeadLetter> | undefined, act: Act): void {
    showIfAny("webhooks", webhooks, (items) => [table<Webhook>([
        { title: "Receiver", cell: (webhook) => [webhook.name, webhook.address] },
        { title: "Waiting", cell: (webhook) => count(webhook.waiting), kind: "number" },
        { title: "Since", cell: (webhook) => (webhook.oldestAt === null ? "–" : time(webhook.oldestAt)) },
        { title: "Dead letters", cell: (webhook) => count(webhook.deadLetters), kind: "number" },
        {
            title: "State",
            cell: (webhook) => webhook.failures === 0 ? "receives"
                : [`${count(webhook.failures)} failures in a row`, webhook.lastError ?? ""],
        },
        { title: "Next try", cell: (webhook) => (webhook.nextTryAt === null ? "–" : time(webhook.nextTryAt)) },
    ], items, "")]);
    showIfAny("dead-letters", dead?.items ?? [], (items) => [table<DeadLetter>([
        { title: "Receiver", cell: (letter) => letter.target, kind: "name" },
        { title: "Messages", cell: (letter) => [count(letter.messages), `of room ${letter.roomId}`] },
        { title: "Given up", cell: (letter) => [time(letter.failedAt), letter.error] },
        {
            title: "Action",
            cell: (letter) => make(
                "span", "buttons",
                button("Send again", `Send again: dead letter ${letter.id}`, () => act("POST", `webhooks/dead-letters/${letter.id}/retry`)),
                button("Delete", `Delete dead letter ${letter.id}`, () => act("DELETE", `webhooks/dead-letters/${letter.id}`))),
        },
    ], items, ""), ...(dead?.nextAfter ? [make("p", "empty", `The first ${items.length}.`)] : [])]);
}

// A section that is drawn anew takes the focus from its buttons: only when something has changed.
const shown = new Map<string, string>();

function showIfAny<Item>(id: string, items: Item[], draw: (items: Item[]) => HTMLElement[]): void {
    const state = JSON.stringify(items);
    if (shown.get(id) !== state) {
        shown.set(id, state);
        byId(`${id}-section`).hidden = items.length === 0;
        byId(id).replaceChildren(...(items.length === 0 ? [] : draw(items)));
    }
}

const textOf = (report: Report): string =>
    report.messages.filter((line) => line.sequence === report.sequence).map((line) => `${line.playerName}: ${line.text}`).join("");

const around = (report: Report): string =>
    report.messages.filter((line) => line.sequence !== report.sequence).map((line) => `${line.playerName}: ${line.text}`).join(" · ");

function nameOf(session: Session): string {
    return `${session.userName ?? "not logged in"} (${session.id})`;
}

function setLevel(level: string, mark: string, word: string, summary: string): void {
    const status = byId("status");
    status.dataset["level"] = level;
    const texts: [string, string][] = [["status-mark", mark], ["status-level", word], ["status-summary", summary]];
    for (const [id, text] of texts) {
        const element = byId(id);
        if (element.textContent !== text) {
            element.textContent = text; // only changes, so that a screen reader does not repeat itself
        }
    }
    document.title = level === "ok" ? "PlayChat dashboard" : `${word} · PlayChat dashboard`;
}

function columnsOf(history: History, capacity: number): number[][] {
    const columns = Array.from({ length: capacity / pointsOfColumn }, () => history.latencyBounds.map(() => 0));
    history.points.forEach((point, i) => {
        const column = columns[Math.floor((capacity - history.points.length + i) / pointsOfColumn)];
        point.latencyCounts.forEach((value, row) => {
            if (column?.[row] !== undefined) {
                column[row] += value;
            }
        });
    });
    return columns;
}
