import { CloseReasons, type ReconnectedEvent, type ReconnectingEvent } from "@playchat/client";
import { byId, make } from "./dom.js";

const shownMs = 8000;
const maxNotices = 50; // the oldest one goes first

/** The line above the chat that tells about the connection, and below it the notices that stay. */
export class Banner {
    readonly #element = byId("banner");
    readonly #notices = byId("notices");
    #timer: ReturnType<typeof setTimeout> | undefined;

    reconnecting({ message, online, reason: closed }: ReconnectingEvent): void {
        this.#notices.querySelectorAll(".announced").forEach((notice) => notice.remove());
        // The page does what the server's advice says.
        const reason = message?.replace(/ Connect again[^.]*\./u, "");
        const lost = closed === CloseReasons.IdleTimeout ? "The server does not answer." : "The connection was lost.";
        const why = online ? (reason ?? lost) : "Your device is offline.";
        this.#show(`${why} Reconnecting…`, "wait");
    }

    reconnected({ rooms }: ReconnectedEvent): void {
        const missed = rooms.filter((room) => room.recovered).reduce((sum, room) => sum + room.missedMessages, 0);
        const unsure = rooms.filter((room) => room.isMember && !room.recovered).map((room) => room.name);
        const gone = rooms.filter((room) => !room.isMember).map((room) => room.name);
        const parts = ["You are connected again."];
        if (missed > 0) {
            parts.push(missed === 1 ? "1 message while you were away." : `${missed} messages while you were away.`);
        }
        if (unsure.length > 0) {
            parts.push(`Messages may be missing in ${unsure.join(", ")}.`);
        }
        if (gone.length > 0) {
            parts.push(`You are no longer in ${gone.join(", ")}.`);
        }
        this.#show(parts.join(" "), unsure.length + gone.length > 0 ? "wait" : "good");
        this.#timer = setTimeout(() => this.hide(), shownMs);
    }

    /** Something that went wrong and that the reader should know for a moment. */
    tell(text: string): void {
        this.#show(text, "wait");
        this.#timer = setTimeout(() => this.hide(), shownMs);
    }

    /** What the server announces: it stays until it is closed, or the connection is lost. */
    notice(text: string): void {
        this.#keep(text).classList.add("announced");
    }

    /** A message that is nowhere else: it stays until it is closed. */
    direct(text: string): void {
        this.#keep(text);
    }

    /** Forgets everything: the session has ended. */
    clear(): void {
        this.hide();
        this.#notices.replaceChildren();
    }

    hide(): void {
        clearTimeout(this.#timer);
        this.#element.replaceChildren();
        delete this.#element.dataset["kind"];
    }

    #keep(text: string): HTMLElement {
        const close = make("button", { type: "button", className: "quiet" }, "Close");
        const notice = make("div", { className: "banner" }, text, " ", close);
        notice.dataset["kind"] = "wait";
        close.addEventListener("click", () => notice.remove());
        this.#notices.append(notice);
        if (this.#notices.childElementCount > maxNotices) {
            this.#notices.firstElementChild?.remove();
        }
        this.#notices.scrollTop = this.#notices.scrollHeight;
        return notice;
    }

    #show(text: string, kind: string): void {
        clearTimeout(this.#timer);
        if (this.#element.textContent !== text) {
            this.#element.textContent = text; // each attempt to reconnect says the same, and is read out once
        }
        this.#element.dataset["kind"] = kind;
    }
}
