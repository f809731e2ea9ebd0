const tellMs = 3000;
const shownMs = 5000;

/** Who is writing in one room. */
export class Typists {
    readonly #timers = new Map<bigint, ReturnType<typeof setTimeout>>();
    #toldAt = 0;

    /** @param changed Called when another player begins or ends. */
    constructor(private readonly changed: () => void) {}

    add(playerId: bigint): void {
        clearTimeout(this.#timers.get(playerId));
        this.#timers.set(playerId, setTimeout(() => this.remove(playerId), shownMs));
        this.changed();
    }

    remove(playerId: bigint): void {
        clearTimeout(this.#timers.get(playerId));
        if (this.#timers.delete(playerId)) {
            this.changed();
        }
    }

    /** A sentence, or nothing. */
    describe(nameOf: (playerId: bigint) => string | undefined): string {
        const names = [...this.#timers.keys()].map(nameOf).filter((name) => name !== undefined);
        return names.length === 0 ? ""
            : names.length === 1 ? `${names[0]} is writing…`
            : names.length === 2 ? `${names[0]} and ${names[1]} are writing…`
            : `${names.length} members are writing…`;
    }

    /** Whether the others are to be told now that the reader is writing. */
    get isDue(): boolean {
        const now = Date.now();
        if (now - this.#toldAt < tellMs) {
            return false;
        }
        this.#toldAt = now;
        return true;
    }
}
