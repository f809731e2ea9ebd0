// The page: draws the replica of the world in each frame, and steers with the keys.
import type { GameClient } from "@playchat/core";
import { StateReplica } from "@playchat/state";
import { Steer, join } from "./link.js";
import type { Player, World } from "./world.js";

const teams = [
    { name: "nobody", cell: "#22262c", player: "#ffffff" },
    { name: "red", cell: "#7a2a2a", player: "#ff6b6b" },
    { name: "blue", cell: "#24467a", player: "#6ba6ff" },
];
const keys: Record<string, readonly [dx: number, dy: number]> = {
    ArrowLeft: [-1, 0], KeyA: [-1, 0], ArrowRight: [1, 0], KeyD: [1, 0], ArrowUp: [0, -1], KeyW: [0, -1], ArrowDown: [0, 1], KeyS: [0, 1],
};

const byId = <TElement extends HTMLElement>(id: string): TElement => document.getElementById(id) as TElement;
const [form, name, status, best, canvas] = [
    byId<HTMLFormElement>("join"), byId<HTMLInputElement>("name"), byId("status"), byId<HTMLTableElement>("best"),
    byId<HTMLCanvasElement>("field"),
];
const context = canvas.getContext("2d")!;
const state = new StateReplica<World>();
const shown = new Map<Player, { x: number; y: number }>(); // where players are drawn, on their way to where they are
const held = new Set<string>();
let game: GameClient | undefined; // undefined for a spectator
let me: Player | undefined;
let myId = 0;

Object.assign(window, { territory: state }); // for a look from the console

state.onRoot((world) => {
    shown.clear();
    state.onItems(world.players, {
        added: (player, id) => {
            shown.set(player, { x: player.x, y: player.y });
            if (id === myId) {
                me = player;
                status.textContent = `You are ${player.name}, ${teams[player.team]!.name}.`;
            }
        },
        removed: (player) => shown.delete(player),
    });
    state.onField(world, "lastRound", (round) => {
        if (round !== null) {
            const [more, fewer] = [Math.max(round.red, round.blue), Math.min(round.red, round.blue)];
            status.textContent = `Round ${round.number}: ${teams[round.winner]!.name} won, ${more} to ${fewer}.`;
        }
    });
    state.onItems(world.best, { added: () => showBest(world), removed: () => showBest(world) });
});

function showBest(world: World): void {
    best.hidden = world.best.length === 0;
    best.tBodies[0]!.replaceChildren(...world.best.map(({ rank, name, cells }) => {
        const row = document.createElement("tr");
        row.append(...[rank, name, cells].map((value) => {
            const cell = document.createElement("td");
            cell.textContent = String(value);
            return cell;
        }));
        return row;
    }));
}

function start(isSpectator: boolean): void {
    form.hidden = true;
    const client = join(name.value.trim(), isSpectator, state, {
        joined: ({ playerId }) => {
            myId = playerId;
            status.textContent = isSpectator ? "You watch." : `You are ${name.value.trim()}.`;
        },
        waiting: ({ seconds, hasFailed }) => (status.textContent = hasFailed
            ? "There is no match. Load the page again." : `You wait for other players: ${seconds} s.`),
    });
    client.on("reconnecting", () => (status.textContent = "The connection has broken. Trying again …"));
    client.on("closed", ({ message }) => (status.textContent = message ?? "The game has ended. Load the page again."));
    client.connect().catch((error: Error) => (status.textContent = error.message));
    game = isSpectator ? undefined : client;
}

form.addEventListener("submit", (event) => {
    event.preventDefault();
    start(false);
});
byId("watch").addEventListener("click", () => start(true));
for (const type of ["keydown", "keyup"] as const) {
    window.addEventListener(type, (event) => {
        if (game === undefined || me === undefined || keys[event.code] === undefined || event.repeat) {
            return;
        }
        event.preventDefault();
        held[type === "keydown" ? "add" : "delete"](event.code);
        const [dx, dy] = [...held].reduce(([x, y], code) => [x + keys[code]![0], y + keys[code]![1]], [0, 0]);
        game.send(Steer, { dx: Math.sign(dx!), dy: Math.sign(dy!) });
    });
}

function draw(): void {
    requestAnimationFrame(draw);
    const world = state.root;
    if (world === undefined) {
        return;
    }
    const size = Math.min(canvas.width / world.width, canvas.height / world.height);
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (const [cell, team] of world.cells) {
        context.fillStyle = teams[team]!.cell;
        context.fillRect(cell % world.width * size, Math.floor(cell / world.width) * size, size, size);
    }
    context.font = `${size * 0.7}px system-ui, sans-serif`;
    context.textAlign = "center";
    for (const [player, at] of shown) {
        at.x += (player.x - at.x) * 0.35;
        at.y += (player.y - at.y) * 0.35;
        context.globalAlpha = player.isAway ? 0.4 : 1;
        context.fillStyle = teams[player.team]!.player;
        context.beginPath();
        context.arc(at.x * size, at.y * size, size * (player === me ? 0.6 : 0.45), 0, 2 * Math.PI);
        context.fill();
        context.fillText(player.name, at.x * size, (at.y - 0.7) * size);
    }
    context.globalAlpha = 1;
    context.fillStyle = "#e8eaed";
    context.fillText(`red ${world.red}   ${world.secondsLeft} s   blue ${world.blue}`, canvas.width / 2, size);
}
draw();
