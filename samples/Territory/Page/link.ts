// The connection to the server: it joins, and comes back to its place when it breaks.
import { type Entry, GameClient, json, raw } from "@playchat/core";
import type { StateReplica } from "@playchat/state";
import type { World } from "./world.js";

export interface Joined {
    readonly playerId: number;
    readonly token: string;
    readonly refusal?: string;
}

export interface Waiting {
    readonly seconds: number;
    readonly hasFailed: boolean;
}

// The packets of Messages.cs.
const Join = json<{ name: string; isSpectator: boolean; token?: string | undefined; revision: number }>(1, "Join");
const Joined = json<Joined>(2, "Joined");
export const Steer = json<{ dx: number; dy: number }>(4, "Steer");
const State = raw(5, "State");
const Waiting = json<Waiting>(6, "Waiting");

export interface Handlers {
    readonly joined: (joined: Joined) => void;
    readonly waiting: (waiting: Waiting) => void;
}

export function join(name: string, isSpectator: boolean, state: StateReplica<World>, handlers: Handlers): GameClient {
    const client = new GameClient(new URL("/ws", location.href.replace(/^http/, "ws")), {
        enter: async ({ resume, request }: Entry<string>) => {
            const joined = await request(Join, { name, isSpectator, token: resume?.token, revision: state.revision }, Joined);
            if (joined.refusal !== undefined) {
                throw new Error(joined.refusal);
            }
            handlers.joined(joined);
            return joined;
        },
    });
    client.handle(State, (message) => state.apply(message));
    client.handle(Waiting, handlers.waiting);
    return client;
}
