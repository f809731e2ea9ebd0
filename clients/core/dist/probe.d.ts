import type { Link } from "./link.js";
/**
 * Notices a link that is dead without having ended, by its silence: it asks for a sign of life, and aborts the link when none comes.
 * One probe watches one link at a time.
 */
export declare class SilenceProbe {
    #private;
    constructor(periodMs: number);
    /** Watches this link from now on. */
    watch(link: Link): void;
    /** The server has sent something. */
    heard(): void;
    /** Asks at once: the network has changed, or the page was asleep, so the link may be dead. */
    ask(): void;
    stop(): void;
}
