// Generated from the classes of the state. Do not edit.

export interface World {
    readonly width: number;
    readonly height: number;
    readonly players: ReadonlyMap<number | bigint, Player>;
    readonly cells: ReadonlyMap<number, number>;
    readonly red: number;
    readonly blue: number;
    readonly secondsLeft: number;
    readonly lastRound: Round | null;
    readonly best: readonly Best[];
}

export interface Player {
    readonly name: string;
    readonly team: number;
    readonly x: number;
    readonly y: number;
    readonly isAway: boolean;
}

export interface Round {
    readonly number: number;
    readonly winner: number;
    readonly red: number;
    readonly blue: number;
}

export interface Best {
    readonly rank: number;
    readonly name: string;
    readonly cells: number;
}
