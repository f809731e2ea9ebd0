import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { create } from "@bufbuild/protobuf";
import { MemberSchema, RoomTermsSchema } from "./gen/room_pb.js";
import type { JoinedRoom } from "./rooms.js";

export interface Snapshot {
    readonly token: Uint8Array;
    readonly rooms: readonly JoinedRoom[];
}

// The names of rooms and members are part of it: a server that can give everything that was missed does not send them again.
interface StoredSnapshot {
    v: 1;
    token: string;
    rooms: {
        id: string; name: string; seen: string; epoch?: number; members: [id: string, name: string][];
        terms?: [topic: string, slow: number, capacity?: number, hasPassword?: boolean, locked?: boolean];
    }[];
}

export function encodeSnapshot({ token, rooms }: Snapshot): string {
    const stored: StoredSnapshot = {
        v: 1,
        token: base64Encode(token),
        rooms: rooms.map((room) => ({
            id: String(room.roomId),
            name: room.name,
            seen: String(room.latestSequence),
            ...(room.epoch === 0 ? {} : { epoch: room.epoch }),
            ...(room.terms === undefined ? {} : {
                terms: [room.terms.topic, room.terms.slowModeSeconds, room.terms.capacity, room.terms.hasPassword, room.terms.locked],
            }),
            members: room.members.map((member) => [String(member.playerId), member.name]),
        })),
    };
    return JSON.stringify(stored);
}

/** @throws SyntaxError The text is no snapshot. */
export function decodeSnapshot(text: string): Snapshot {
    try {
        const stored = JSON.parse(text) as StoredSnapshot;
        if (stored.v !== 1 || typeof stored.token !== "string") {
            throw new SyntaxError("its version is unknown");
        }
        return {
            token: base64Decode(stored.token),
            rooms: stored.rooms.map((room) => ({
                roomId: BigInt(room.id),
                name: room.name,
                latestSequence: BigInt(room.seen),
                epoch: room.epoch ?? 0,
                terms: room.terms && create(RoomTermsSchema, {
                    topic: room.terms[0],
                    slowModeSeconds: room.terms[1],
                    capacity: room.terms[2] ?? 0, // a snapshot of an earlier version has none of these
                    hasPassword: room.terms[3] ?? false,
                    locked: room.terms[4] ?? false,
                }),
                members: room.members.map(([playerId, name]) => create(MemberSchema, { playerId: BigInt(playerId), name })),
            })),
        };
    } catch (error) {
        throw new SyntaxError(`This is no snapshot of a session: ${(error as Error).message}.`, { cause: error });
    }
}
