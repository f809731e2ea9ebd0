// The page of one recording: who did what, and what the room sent.
import { TokenNeeded, readWith } from "./api.js";
import { lane } from "./charts.js";
import { byId, make, table } from "./dom.js";
import { count } from "./format.js";
import type { RecordingEvent, RecordingEvents } from "./model.js";

const pageEvents = 300;
const maxFileBytes = 1024 * 1024; // what the server takes
const maxLanes = 12;

// What one checkbox shows, and how it looks. A room that ticks would fill the page with ticks, so they are off at first.
const groups = [
    { title: "Players", kinds: ["join", "leave", "away", "return", "end"], look: "player", isShown: true },
    { title: "Packets and jobs", kinds: ["packet", "job", "command"], look: "input", isShown: true },
    { title: "Timers", kinds: ["timer"], look: "input", isShown: true },
    { title: "Ticks", kinds: ["tick"], look: "input", isShown: false },
    { title: "Random numbers", kinds: ["draws"], look: "", isShown: false },
    { title: "What the room sent", kinds: ["sent"], look: "", isShown: true },
    { title: "Exceptions", kinds: ["exception"], look: "exception", isShown: true },
];

const lookOf = (event: RecordingEvent): string => groups.find(({ kinds }) => kinds.includes(event.kind))?.look ?? "";

const name = new URLSearchParams(location.search).get("file");
let chosen: File | undefined; // from disk
let events: RecordingEvent[] = [];
let next: number | null = null;
let round = 0; // of what was asked for last

/** Reads a page: the first one, or the one behind those that are shown. */
async function show(isMore: boolean): Promise<void> {
    const present = ++round;
    const kinds = groups.filter((_, i) => byId<HTMLInputElement>(`kinds-${i}`).checked).flatMap((group) => group.kinds);
    const text = byId<HTMLInputElement>("text").value.trim();
    const query = new URLSearchParams({ limit: String(pageEvents), after: String(isMore ? next ?? 0 : 0), kinds: kinds.join(","), text });
    try {
        const path = chosen === undefined ? `${encodeURIComponent(name ?? "")}/events` : "events";
        const page = await readWith<RecordingEvents>(`recordings/${path}?${query.toString()}`, chosen);
        if (present === round) {
            events = isMore ? [...events, ...page.items] : page.items;
            next = page.nextAfter;
            draw(page);
        }
    } catch (error) {
        tell(error instanceof TokenNeeded ? "Log in on the dashboard first." : error instanceof Error ? error.message : String(error));
    }
}

function draw(page: RecordingEvents): void {
    tell("");
    byId("recording").hidden = false;
    byId("facts").textContent = [
        `${page.roomName} (${page.roomType})`,
        `from ${new Date(page.startedAt).toLocaleString("en-GB")}`,
        page.members === null ? "from its creation on" : `with ${page.members.join(", ") || "no members"}`,
        page.end === null ? "more follows" : page.end === "Unknown" ? "it runs, or its file is torn" : `ended: ${page.end}`,
        ...(page.hasSamePackets ? [] : ["this server has other packets, so names may be wrong"]),
    ].join(" · ");
    byId("more").hidden = next === null;
    const list = table<RecordingEvent>([
        { title: "Time", cell: (event) => `${event.atSeconds.toFixed(3)} s`, kind: "number" },
        { title: "Turn", cell: (event) => count(event.turn), kind: "number" },
        { title: "Tick", cell: (event) => count(event.tick), kind: "number" },
        { title: "Kind", cell: (event) => make("span", `kind ${lookOf(event)}`, event.kind) },
        { title: "What", cell: whatOf },
    ], events, "Nothing of this happened.");
    const rows = [...list.querySelectorAll("tbody tr")];
    rows.forEach((row, i) => row.classList.toggle("turn", events[i]?.turn !== events[i - 1]?.turn));
    byId("events").replaceChildren(list);
    byId("lanes").replaceChildren(...lanes((event) => {
        rows.forEach((row, i) => row.classList.toggle("chosen", events[i] === event));
        rows[events.indexOf(event)]?.scrollIntoView({ block: "nearest" });
    }));
}

function whatOf(event: RecordingEvent): HTMLElement {
    return event.content === null ? make("span", "", event.text)
        : make("details", "", make("summary", "", event.text), make("pre", "", event.content));
}

/** One lane for the room and for each player, from the first event to the last one that is shown. */
function lanes(choose: (event: RecordingEvent) => void): HTMLElement[] {
    const [from, to] = [events[0]?.atSeconds ?? 0, events.at(-1)?.atSeconds ?? 0];
    const names = [...new Set(events.map((event) => event.session))]
        .sort((a, b) => (a ?? "").localeCompare(b ?? "", "en", { numeric: true }));
    return [
        ...names.slice(0, maxLanes).flatMap((session) => {
            const own = events.filter((event) => event.session === session);
            return [make("span", "", session ?? "the room"), lane(own.map((event) => ({
                part: (event.atSeconds - from) / Math.max(to - from, 1e-9), look: lookOf(event), choose: () => choose(event),
                title: `${event.atSeconds.toFixed(3)} s: ${event.text}`,
            })), `${own.length} events of ${session ?? "the room"}`) as unknown as HTMLElement];
        }),
        make("p", "", ...[
            `${from.toFixed(3)} s`, names.length > maxLanes ? `${maxLanes} of ${names.length} lanes` : "", `${to.toFixed(3)} s`,
        ].map((text) => make("span", "", text))),
    ];
}

function tell(text: string): void {
    byId("told").textContent = text;
}

groups.forEach(({ title, isShown }, i) => {
    const box = make("input") as HTMLInputElement;
    box.type = "checkbox";
    box.id = `kinds-${i}`;
    box.checked = isShown;
    byId("kinds").append(make("label", "", box, title));
});
byId("filter").addEventListener("input", () => void show(false));
byId("filter").addEventListener("submit", (event) => event.preventDefault());
byId("more").addEventListener("click", () => void show(true));
byId("again").addEventListener("click", () => void show(false));
byId("file").addEventListener("change", () => {
    chosen = byId<HTMLInputElement>("file").files?.[0];
    if (chosen !== undefined && chosen.size > maxFileBytes) {
        tell("The file is larger than 1 MB. Put it into the server's folder of recordings, and open it from the dashboard.");
    } else {
        void show(false);
    }
});
byId("again").hidden = name === null;
if (name !== null) {
    void show(false);
}
