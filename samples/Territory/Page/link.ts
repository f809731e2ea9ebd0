// The connection to the server: it joins, and comes back to its seat when it breaks.
import { type Entry, GameClient, json, raw } from "@playchat/core";
import type { StateReplica } from "@playchat/state";
import type { World } from "./world.js";

export interface Joined {
    readonly playerId: number;
    readonly token: string;
    readonly refusal?: string;
}

// The packets of Messages.cs.
const Join = json<{ name: string; isSpectator: boolean }>(1, "Join");
const Joined = json<Joined>(2, "Joined");
const Resume = json<{ token: string; revision: number }>(3, "Resume");
export const Steer = json<{ dx: number; dy: number }>(4, "Steer");
const State = raw(5, "State");

export function join(name: string, isSpectator: boolean, state: StateReplica<World>, onJoined: (joined: Joined) => void): GameClient {
    const client = new GameClient(new URL("/ws", location.href.replace(/^http/, "ws")), {
        enter: async ({ resume, request }: Entry<string>) => {
            const joined = resume === undefined
                ? await request(Join, { name, isSpectator }, Joined)
                : await request(Resume, { token: resume.token, revision: state.revision }, Joined);
            if (joined.refusal !== undefined) {
                throw new Error(joined.refusal);
            }
            onJoined(joined);
            return joined;
        },
    });
    client.handle(State, (message) => state.apply(message));
    return client;
}
