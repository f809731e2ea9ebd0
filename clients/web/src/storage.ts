// What the page keeps across being loaded again: the session for this tab alone, and for all tabs the name for the next login and the
// token of a device that stays logged in. No password.
import type { LoginTokenStore } from "@playchat/client";

const sessionKey = "playchat.session";
const nameKey = "playchat.name";
const tokenKey = "playchat.login";

export interface SavedSession {
    readonly snapshot: string;
    /** Whether its login is the one of the token; a session that an older page saved has none. */
    readonly kept?: boolean;
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

// A page that came over plain HTTP from another machine has no locks. There two tabs that log in at the same time may log this device out.
const lock = { lock: <T>(work: () => Promise<T>): Promise<T> => navigator.locks.request(tokenKey, work) as Promise<T> };

/** The token by which this browser stays logged in, for all its tabs. */
export const loginToken: LoginTokenStore = {
    load: () => attempt(() => localStorage.getItem(tokenKey)) ?? undefined,
    save: (token) => attempt(() => token === undefined ? localStorage.removeItem(tokenKey) : localStorage.setItem(tokenKey, token)),
    ...("locks" in navigator ? lock : {}),
};
