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
    const response = await ask(path, "GET");
    if (!response.ok) {
        throw new Error(`The server answered ${response.status}.`);
    }
    return (await response.json()) as Answer;
}

/** Reads what this server does not have in each mode and setting; undefined where it has not. */
export async function readIfAny<Answer>(path: string): Promise<Answer | undefined> {
    const response = await ask(path, "GET");
    return response.ok ? ((await response.json()) as Answer) : undefined;
}

/** Has the server do something. The answer is a sentence, also when it did not. */
export async function act(method: "POST" | "DELETE", path: string): Promise<string> {
    const response = await ask(path, method);
    const answer = (await response.json().catch(() => ({}))) as { message?: string; detail?: string };
    return answer.message ?? answer.detail ?? `The server answered ${response.status}.`;
}

async function ask(path: string, method: string): Promise<Response> {
    const token = sessionStorage.getItem(tokenKey);
    const response = await fetch(`/api/v1/${path}`, {
        method,
        headers: {
            ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
            ...(method === "POST" ? { "Content-Type": "application/json" } : {}),
        },
        ...(method === "POST" ? { body: "{}" } : {}),
        signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status === 401) {
        throw new TokenNeeded();
    }
    return response;
}
