import { CloseReasons } from "./closeReasons.js";
import type { Link } from "./link.js";
import { encodePacket, heartbeatPacketId } from "./wire.js";

/**
 * Notices a link that is dead without having ended, by its silence: it asks for a sign of life, and aborts the link when none comes.
 * One probe watches one link at a time.
 */
export class SilenceProbe {
    #link: Link | undefined;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #heard = false;
    #asked = false;
    #due = 0;

    constructor(private readonly periodMs: number) {}

    /** Watches this link from now on. */
    watch(link: Link): void {
        this.stop();
        if (this.periodMs !== Infinity) {
            this.#link = link;
            this.#wait();
        }
    }

    /** The server has sent something. */
    heard(): void {
        this.#heard = true;
    }

    /** Asks at once: the network has changed, or the page was asleep, so the link may be dead. */
    ask(): void {
        if (this.#link?.isOpen) {
            this.#heard = false;
            this.#send();
            this.#wait();
        }
    }

    stop(): void {
        clearTimeout(this.#timer);
        this.#link = undefined;
        this.#asked = this.#heard = false;
    }

    #wait(): void {
        clearTimeout(this.#timer);
        const periodMs = Math.min(this.periodMs, 0x7fffffff);
        this.#due = Date.now() + periodMs;
        this.#timer = setTimeout(() => this.#look(), periodMs);
    }

    #look(): void {
        // A timer that is late has slept with the page. What the server sent meanwhile may not have been handed over yet, so ask again.
        const hasSlept = Date.now() - this.#due > this.periodMs;
        if (this.#heard && !hasSlept) {
            this.#heard = this.#asked = false;
        } else if (this.#asked && !hasSlept) {
            this.#link?.abort(CloseReasons.IdleTimeout);
            return;
        } else {
            this.#heard = false;
            this.#send();
        }
        this.#wait();
    }

    #send(): void {
        this.#asked = true;
        this.#link?.send(encodePacket(heartbeatPacketId, 1, new Uint8Array()));
    }
}
