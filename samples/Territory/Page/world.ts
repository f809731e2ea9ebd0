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
