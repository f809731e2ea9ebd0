import type { ResumedRoom } from "./gen/login_pb.js";
import type { Member, RoomTerms, SJoinRoomNtf, SMessageEditedNtf, SReactionNtf, SRoomChatNtf, SRoomStateNtf } from "./gen/room_pb.js";

/** A room that the client is in, as it stood when it was asked for. */
export interface JoinedRoom {
    readonly roomId: bigint;
    readonly name: string;
    readonly members: readonly Member[];
    /** The last sequence that the client has seen. */
    readonly latestSequence: bigint;
    /** Not 0 in a cluster, where sequences rise in steps of any size, and each hole counts as one missed message. */
    readonly epoch: number;
    /** What moderators have set, such as the topic. Undefined: nothing. */
    readonly terms?: RoomTerms | undefined;
}

/** What became of one room after a broken connection. */
export interface RoomRecovery {
    readonly roomId: bigint;
    readonly name: string;
    /** Still in the room. Otherwise the player has left it, and may join again. */
    readonly isMember: boolean;
    /**
     * Everything that was missed follows as events, in order. After another login these are the messages of players; joins and leaves do
     * not follow, and `client.room` has the members. When false, the messages between the two sequences do not follow by themselves;
     * `readHistory` may still have them. Always false when the server was killed, because the newest messages may be lost.
     */
    readonly recovered: boolean;
    /**
     * When recovered, how many messages of players follow; otherwise how many packets are missing at most. 0 when the server was killed:
     * the number is not known.
     */
    readonly missedMessages: number;
    /** The last sequence that the client had seen. */
    readonly lastSequence: bigint;
    /** The room's newest when the client came back; 0 without membership. */
    readonly latestSequence: bigint;
}

interface TrackedRoom {
    name: string;
    members: Member[];
    latestSequence: bigint;
    epoch: number; // 0 where sequences are dense
    terms: RoomTerms | undefined;
    missedBeforeNext: number;
    returning: Set<bigint>; // members before a restart of the server that have not joined again
}

// A member that joins so long after a restart of the server comes as a newcomer does.
const returnMs = 120_000;

/** The rooms that a client is in: their members, and the last sequence that it has seen. */
export class RoomTracker {
    readonly #rooms = new Map<bigint, TrackedRoom>();
    #returnsUntil = 0;

    enter(room: JoinedRoom): void {
        this.#rooms.set(room.roomId, {
            name: room.name,
            members: [...room.members],
            latestSequence: room.latestSequence,
            epoch: room.epoch,
            terms: room.terms,
            missedBeforeNext: 0,
            returning: new Set(),
        });
    }

    /** The server has restarted: players that were members before will join again, or have done so. */
    expectReturns({ roomId, members }: JoinedRoom): void {
        this.#returnsUntil = Date.now() + returnMs;
        const room = this.#rooms.get(roomId);
        members.forEach(({ playerId }) => room?.returning.add(playerId));
        room?.members.forEach(({ playerId }) => room.returning.delete(playerId));
    }

    /** Whether a player that joins returns after a restart of the server. Told once. */
    takeReturn(roomId: bigint, playerId: bigint): boolean {
        return Date.now() < this.#returnsUntil && (this.#rooms.get(roomId)?.returning.delete(playerId) ?? false);
    }

    leave(roomId: bigint): void {
        this.#rooms.delete(roomId);
    }

    /** @returns How many messages are missing before this one. */
    seeJoin(message: SJoinRoomNtf): number {
        return this.#see(message, (room) => {
            const { member } = message;
            if (member !== undefined) {
                room.members = [...room.members.filter((other) => other.playerId !== member.playerId), member];
            }
        });
    }

    /** @returns How many messages are missing before this one. */
    seeChat(message: SRoomChatNtf): number {
        return this.#see(message, (room) => {
            const { left, changed } = message;
            room.terms = message.terms ?? room.terms;
            if (changed !== undefined) {
                room.members = room.members.map((member) => member.playerId === changed.playerId ? changed : member);
            }
            if (left !== undefined) {
                room.returning.delete(left.playerId);
                room.members = room.members.filter((member) => member.playerId !== left.playerId);
            }
        });
    }

    /** @returns How many messages are missing before this one. */
    seeChange(change: SMessageEditedNtf | SReactionNtf): number {
        return this.#see(change, () => undefined);
    }

    /** The room continues at a later sequence. The messages in between are reported as missed with the room's next message. */
    seeState(state: SRoomStateNtf): boolean {
        const room = this.#rooms.get(state.roomId);
        if (room === undefined) {
            return false;
        }
        room.epoch = state.epoch;
        room.missedBeforeNext += missing(room, state.latestSequence);
        room.latestSequence = state.latestSequence;
        room.members = state.members;
        room.terms = state.terms;
        return true;
    }

    /** Messages of a room will not come. They are reported as missed with the room's next message. */
    skip(roomId: bigint, missed: number): void {
        const room = this.#rooms.get(roomId);
        if (room !== undefined) {
            room.missedBeforeNext += missed;
        }
    }

    all(): JoinedRoom[] {
        return [...this.#rooms].map(([roomId, room]) => toJoined(roomId, room));
    }

    find(roomId: bigint): JoinedRoom | undefined {
        const room = this.#rooms.get(roomId);
        return room === undefined ? undefined : toJoined(roomId, room);
    }

    /** The server has said what became of each room. */
    resume(rooms: readonly ResumedRoom[]): RoomRecovery[] {
        const recoveries: RoomRecovery[] = [];
        for (const resumed of rooms) {
            const room = this.#rooms.get(resumed.roomId);
            if (room === undefined) {
                continue;
            }
            room.epoch = resumed.epoch;
            recoveries.push({
                roomId: resumed.roomId,
                name: room.name,
                isMember: resumed.member,
                recovered: resumed.recovered,
                missedMessages: resumed.recovered ? resumed.missedMessages : missing(room, resumed.latestSequence),
                lastSequence: room.latestSequence,
                latestSequence: resumed.latestSequence,
            });
            if (!resumed.member) {
                this.#rooms.delete(resumed.roomId);
            }
        }
        return recoveries;
    }

    #see(message: { roomId: bigint; sequence: bigint; previousSequence: bigint }, change: (room: TrackedRoom) => void): number {
        const room = this.#rooms.get(message.roomId);
        if (room === undefined) {
            return 0;
        }
        change(room);
        // A message that comes twice or late is no hole, and must not open one before the next.
        const missed = missing(room, message.previousSequence) + room.missedBeforeNext;
        room.missedBeforeNext = 0;
        if (message.sequence > room.latestSequence) {
            room.latestSequence = message.sequence;
        }
        return missed;
    }
}

function toJoined(roomId: bigint, room: TrackedRoom): JoinedRoom {
    const { name, members, latestSequence, epoch, terms } = room;
    return { roomId, name, members, latestSequence, epoch, terms };
}

/** How many messages are missing up to a sequence: at least, where sequences are not dense. */
function missing(room: TrackedRoom, through: bigint): number {
    const step = through > room.latestSequence ? Number(through - room.latestSequence) : 0;
    return room.epoch === 0 ? step : Math.min(step, 1);
}
