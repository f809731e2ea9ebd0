import { type ChatClient, ChatError, CloseReasons, type ConnectOptions, type Credentials, ErrorCode, connect } from "@playchat/client";
import { ChatView } from "./chatView.js";
import { byId } from "./dom.js";
import { describe, describeEnd } from "./errors.js";
import { LoginView } from "./loginView.js";
import { type SavedSession, loginToken, saveSession, takeSession } from "./storage.js";

const endpoint = new URL("ws", location.href);
endpoint.protocol = location.protocol === "https:" ? "wss:" : "ws:";
// A connection that has died without a word is left after twice this time: a reader who waits longer believes that nobody answers.
const options: ConnectOptions = { clientVersion: "PlayChat page", keepAliveMs: 5000 };

// Then the server cannot say yet whether it has the session, and asks to keep it.
const passing = new Set([ErrorCode.STORAGE_UNAVAILABLE, ErrorCode.UNAVAILABLE, ErrorCode.SERVER_BUSY]);
const maxResumes = 4;

const chat = new ChatView(() => void logOut());
const login = new LoginView(logIn);
let client: ChatClient | undefined;

function logIn(credentials: Credentials): Promise<void> {
    return begin((connected) => connected.login(credentials));
}

/** Connects, logs in and shows the chat. */
async function begin(logsIn: (connected: ChatClient) => Promise<unknown>): Promise<void> {
    const connected = await connect(endpoint, options);
    try {
        await logsIn(connected);
    } catch (error) {
        void connected.close();
        throw error;
    }
    takeSession(); // one that could not be continued
    enter(connected);
    chat.start(connected);
}

/**
 * Logs in without the form where this browser stays logged in.
 * @param notice Why the player has to log in, where it does not.
 */
async function logInKept(notice = ""): Promise<void> {
    show("login");
    if (loginToken.load() === undefined) {
        return login.show(notice);
    }
    login.wait("Logging in…");
    try {
        await begin((connected) => connected.loginByToken(loginToken));
    } catch (error) {
        login.show(error instanceof ChatError && error.code === ErrorCode.LOGIN_TOKEN_REFUSED ? error.message
            : `${describe(error)} This device stays logged in: load the page again.`);
    }
}

async function logOut(): Promise<void> {
    // The page has forgotten its token even if the server does not answer.
    await client?.forgetDevice({ timeoutMs: 2000 }).catch(() => undefined);
    await client?.close();
}

/** Continues the session of this tab after the page was loaded again. */
async function resume(saved: SavedSession): Promise<void> {
    const connected = await connect(endpoint, options);
    try {
        const returned = await connected.resume(saved.snapshot, saved.kept ? loginToken : undefined);
        enter(connected);
        chat.start(connected, saved);
        chat.reconnected(returned);
    } catch (error) {
        void connected.close();
        throw error;
    }
}

/** Resumes, also where the server asks to try again; in the end the player sees the chat or the login. */
async function comeBack(saved: SavedSession): Promise<void> {
    for (let attempt = 1; ; attempt++) {
        try {
            return await resume(saved);
        } catch (error) {
            show("login");
            if (!(error instanceof ChatError && passing.has(error.code))) {
                return logInKept("Your session could not be continued. Log in again.");
            }
            saveSession(saved); // the reader may load the page again meanwhile
            if (attempt === maxResumes) {
                return login.show("Your session could not be continued yet. Load the page again in a moment.");
            }
            login.wait("Continuing your session…");
            await new Promise((resolve) => setTimeout(resolve, Math.max(1000, error.retryAfterMs)));
            takeSession();
        }
    }
}

function enter(connected: ChatClient): void {
    client = connected;
    show("chat");
    connected.on("closed", (event) => {
        client = undefined;
        chat.stop();
        show("login");
        login.show(event.reason === CloseReasons.LocalClose && event.message === undefined ? "" : describeEnd(event));
    });
}

function show(screen: "login" | "chat"): void {
    byId("login").hidden = screen !== "login";
    byId("chat").hidden = screen !== "chat";
}

byId("logout").addEventListener("click", () => void logOut());
byId("help").addEventListener("click", () => byId<HTMLDialogElement>("help-dialog").showModal());

document.addEventListener("keydown", (event) => {
    const isOpen = document.querySelector("dialog[open]") !== null;
    if (client === undefined || isOpen || event.isComposing) {
        return;
    }
    const key = event.key.toLowerCase();
    const control = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const action = control && key === "k" ? () => chat.focusSearch()
        : control && key === "m" ? () => chat.toggleMembers()
        : control && key === "/" ? () => byId<HTMLDialogElement>("help-dialog").showModal()
        : event.altKey && key === "arrowup" ? () => chat.step(-1)
        : event.altKey && key === "arrowdown" ? () => chat.step(1)
        : key === "escape" ? () => chat.escape()
        : undefined;
    if (action !== undefined) {
        event.preventDefault();
        action();
    }
});

window.addEventListener("pagehide", () => {
    const snapshot = client?.snapshot();
    if (client !== undefined && snapshot !== undefined) {
        saveSession({ snapshot, kept: client.staysLoggedIn, ...chat.saved });
    }
});

// From the back-forward cache the client returns by itself.
window.addEventListener("pageshow", (event) => {
    if (event.persisted) {
        takeSession();
    }
});

const saved = takeSession();
await (saved === undefined ? logInKept() : comeBack(saved));
