import type { ClosedEvent, ReconnectingEvent } from "./events.js";
import { Link, type LinkEnd } from "./link.js";
import type { LinkSettings } from "./options.js";
import { SilenceProbe } from "./probe.js";
import type { Packet } from "./wire.js";
export type SessionState = "connected" | "reconnecting" | "closed";
/** What a session does on the links that it gets one after the other. */
export interface LinkUser {
    onPacket(link: Link, packet: Packet): void;
    /**
     * The link has ended and another one is sought.
     * @param why What requests fail with that are not sent again.
     */
    broke(why: () => Error): void;
    /** Continues the session on a new link. Throws when the attempt has failed; an error may have an `endpoint` to connect to instead. */
    enter(link: Link, broken: LinkEnd): Promise<void>;
    /** Whether the session continues after this end of a link. */
    mayReturn(end: LinkEnd): boolean;
    /** Whether the next attempt may succeed although this one failed. */
    mayPass(error: unknown): boolean;
    reconnecting(event: ReconnectingEvent): void;
    /** @param why What all requests fail with. */
    closed(event: ClosedEvent, why: () => Error): void;
}
/**
 * The links of a session, one after the other, until the session ends. At most one link exists at a time, so no packet of an older one
 * arrives beside those of the newest.
 */
export declare class LastingLink {
    #private;
    readonly closed: Promise<ClosedEvent>;
    readonly probe: SilenceProbe;
    constructor(urls: readonly string[], settings: LinkSettings, user: LinkUser);
    get state(): SessionState;
    get current(): Link | undefined;
    /**
     * Makes the first link.
     * @param signal Gives up connecting.
     * @param enter Begins the session on it. What it throws ends the link and is thrown here.
     * @throws ConnectError No server answered in time, or all refused.
     */
    open(signal: AbortSignal | undefined, enter: (link: Link) => void | Promise<void>): Promise<void>;
    /** The session continues on the newest link. */
    entered(): void;
    /** Closes the link in order, or ends the attempts to reconnect. */
    close(farewell: (link: Link) => void): Promise<void>;
    /** Chooses the server of the next link: the one that this server has named, if one URL alone has its host, or the next. */
    moveOn(named?: string): void;
}
