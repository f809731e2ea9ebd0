import { CloseReasons } from "./closeReasons.js";
import { encodePacket, heartbeatPacketId } from "./wire.js";
/**
 * Notices a link that is dead without having ended, by its silence: it asks for a sign of life, and aborts the link when none comes.
 * One probe watches one link at a time.
 */
export class SilenceProbe {
    #periodMs;
    #link;
    #timer;
    #heardAt = 0;
    #askedAt; // since then nothing was heard
    constructor(periodMs) {
        this.#periodMs = periodMs;
    }
    /** Watches this link from now on. */
    watch(link) {
        this.stop();
        if (this.#periodMs !== Infinity) {
            this.#link = link;
            this.heard();
            this.#wait(this.#periodMs);
        }
    }
    /** The server has sent something. */
    heard() {
        this.#heardAt = Date.now();
        this.#askedAt = undefined;
    }
    /** Asks at once: the network has changed, or the page was asleep, so the link may be dead. */
    ask() {
        if (this.#link?.isOpen) {
            this.#askedAt = Date.now();
            this.#link.send(encodePacket(heartbeatPacketId, 1, new Uint8Array()));
            this.#wait(this.#periodMs);
        }
    }
    stop() {
        clearTimeout(this.#timer);
        this.#link = this.#askedAt = undefined;
    }
    #wait(delayMs) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#look(), Math.min(delayMs, this.#periodMs, 0x7fffffff)); // also when the clock was set back
    }
    #look() {
        const since = Date.now() - (this.#askedAt ?? this.#heardAt);
        // A timer that is late has slept with the page. What the server sent meanwhile may not have been handed over yet, so ask again.
        if (this.#askedAt !== undefined && since < 2 * this.#periodMs) {
            this.#link?.abort(CloseReasons.IdleTimeout);
        }
        else if (since < this.#periodMs) {
            this.#wait(this.#periodMs - since);
        }
        else {
            this.ask();
        }
    }
}
