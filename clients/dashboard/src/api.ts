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

/** Reads with a file that the server needs for the answer. An error has the server's reason. */
export async function readWith<Answer>(path: string, file: Blob | undefined): Promise<Answer> {
    const response = await ask(path, file === undefined ? "GET" : "POST", file);
    const answer = (await response.json().catch(() => ({}))) as Answer & { detail?: string };
    if (!response.ok) {
        throw new Error(answer.detail ?? `The server answered ${response.status}.`);
    }
    return answer;
}

/** Saves a file of the server. */
export async function download(path: string, name: string): Promise<void> {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await (await ask(path, "GET")).blob());
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
}

/** Has the server do something. The answer is a sentence, also when it did not. */
export async function act(method: "POST" | "DELETE", path: string, body: object = {}): Promise<string> {
    const response = await ask(path, method, JSON.stringify(body));
    const answer = (await response.json().catch(() => ({}))) as { message?: string; detail?: string };
    return answer.message ?? answer.detail ?? `The server answered ${response.status}.`;
}

async function ask(path: string, method: string, body: Blob | string = "{}"): Promise<Response> {
    const token = sessionStorage.getItem(tokenKey);
    const response = await fetch(`/api/v1/${path}`, {
        method,
        headers: {
            ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
            ...(method === "POST" ? { "Content-Type": typeof body === "string" ? "application/json" : "application/octet-stream" } : {}),
        },
        ...(method === "POST" ? { body } : {}),
        signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status === 401) {
        throw new TokenNeeded();
    }
    return response;
}
