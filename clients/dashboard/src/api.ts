/** The server asks for its token, or refused the one it got. */
export class TokenNeeded extends Error {}

const tokenKey = "playchat.token";

// A server that hangs must not hold the page: the next attempt follows.
const timeoutMs = 15_000;

/** Remembers the token until the tab is closed. */
export function useToken(token: string): void {
    sessionStorage.setItem(tokenKey, token);
}

export function hasToken(): boolean {
    return sessionStorage.getItem(tokenKey) !== null;
}

/** Reads from the admin API. */
export async function read<Answer>(path: string): Promise<Answer> {
    const token = sessionStorage.getItem(tokenKey);
    const response = await fetch(`/api/v1/${path}`, {
        headers: token === null ? {} : { Authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status === 401) {
        throw new TokenNeeded();
    }
    if (!response.ok) {
        throw new Error(`The server answered ${response.status}.`);
    }
    return (await response.json()) as Answer;
}
