import { CloseReasons, type ReconnectedEvent, type ReconnectingEvent } from "@playchat/client";
import { byId, make } from "./dom.js";

const shownMs = 8000;

/** The line above the chat that tells about the connection. */
export class Banner {
    readonly #element = byId("banner");
    #timer: ReturnType<typeof setTimeout> | undefined;

    reconnecting({ message, online, reason: closed }: ReconnectingEvent): void {
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

    /** Something that the reader must not miss: it stays until it is closed, or the connection is lost. */
    notice(text: string): void {
        const close = make("button", { type: "button", className: "quiet" }, "Close");
        close.addEventListener("click", () => this.hide());
        this.#show(text, "wait");
        this.#element.append(" ", close);
    }

    hide(): void {
        clearTimeout(this.#timer);
        this.#element.replaceChildren();
        delete this.#element.dataset["kind"];
    }

    #show(text: string, kind: string): void {
        clearTimeout(this.#timer);
        if (this.#element.textContent !== text) {
            this.#element.textContent = text; // each attempt to reconnect says the same, and is read out once
        }
        this.#element.dataset["kind"] = kind;
    }
}
