// What the page keeps across being loaded again: the session for this tab alone, the name for the next login.

const sessionKey = "playchat.session";
const nameKey = "playchat.name";

export interface SavedSession {
    readonly snapshot: string;
    readonly selected: string | undefined;
    readonly unread: readonly [roomId: string, count: number][];
    /** What was being written, by room; a session that an older page saved has none. */
    readonly drafts?: Readonly<Record<string, string>>;
}

// A browser may refuse storage altogether; then nothing is kept.
function attempt<T>(access: () => T): T | undefined {
    try {
        return access();
    } catch {
        return undefined;
    }
}

export function saveSession(session: SavedSession): void {
    attempt(() => sessionStorage.setItem(sessionKey, JSON.stringify(session)));
}

/** Takes the session out: it is good for one return, and a duplicated tab must not take it over. */
export function takeSession(): SavedSession | undefined {
    return attempt(() => {
        const stored = sessionStorage.getItem(sessionKey);
        sessionStorage.removeItem(sessionKey);
        return stored === null ? undefined : JSON.parse(stored) as SavedSession;
    });
}

export function saveName(name: string): void {
    attempt(() => localStorage.setItem(nameKey, name));
}

export function savedName(): string {
    return attempt(() => localStorage.getItem(nameKey)) ?? "";
}
