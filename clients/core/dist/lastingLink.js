import { CloseReasons, adviceOf } from "./closeReasons.js";
import { ConnectionClosedError } from "./errors.js";
import { Link } from "./link.js";
import { waitForAttempt } from "./network.js";
import { SilenceProbe } from "./probe.js";
import { backoffMs } from "./reconnect.js";
/**
 * The links of a session, one after the other, until the session ends. At most one link exists at a time, so no packet of an older one
 * arrives beside those of the newest.
 */
export class LastingLink {
    closed;
    probe;
    #urls;
    #settings;
    #user;
    #leaving = new AbortController();
    #state = "connected";
    #link; // the newest, also while it is being entered
    #server = 0; // the index of the URL that the next attempt begins with
    #unsubscribe = () => { };
    #resolveClosed;
    constructor(urls, settings, user) {
        this.#urls = urls;
        this.#settings = settings;
        this.#user = user;
        this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
        this.probe = new SilenceProbe(settings.reconnect ? settings.keepAliveMs : Infinity);
    }
    get state() {
        return this.#state;
    }
    get current() {
        return this.#link;
    }
    /**
     * Makes the first link.
     * @param signal Gives up connecting.
     * @param enter Begins the session on it. What it throws ends the link and is thrown here.
     * @throws ConnectError No server answered in time, or all refused.
     */
    async open(signal, enter) {
        const link = await this.#connect(signal);
        try {
            signal?.throwIfAborted(); // the link was made in this very moment
            await enter(link);
        }
        catch (error) {
            link.abort(CloseReasons.LocalClose);
            throw error;
        }
        this.#unsubscribe = this.#settings.network.subscribe(() => this.probe.ask());
        void this.#run(link);
    }
    /** The session continues on the newest link. */
    entered() {
        this.#state = "connected";
    }
    /** Closes the link in order, or ends the attempts to reconnect. */
    async close(farewell) {
        this.#leaving.abort(new ConnectionClosedError(CloseReasons.LocalClose));
        const link = this.#link;
        if (link?.isOpen) {
            farewell(link);
            link.close();
            // A server that does not answer the close must not keep the caller waiting.
            const timer = setTimeout(() => link.abort(CloseReasons.LocalClose), 2000);
            void link.closed.then(() => clearTimeout(timer));
        }
        await this.closed;
    }
    /** Chooses the server of the next link: the one that this server has named, if one URL alone has its host, or the next. */
    moveOn(named = "") {
        const host = named.slice(0, named.lastIndexOf(":"));
        const matches = [...this.#urls.keys()].filter((i) => host !== "" && i !== this.#server && new URL(this.#urls[i]).hostname === host);
        this.#server = matches.length === 1 ? matches[0] : (this.#server + 1) % this.#urls.length;
    }
    async #run(first) {
        let link = first;
        while (link !== undefined) {
            const end = await link.closed;
            this.probe.stop();
            link = await this.#comeBack(end);
        }
    }
    /** Makes attempts until one succeeds, or ends the session. */
    async #comeBack(broken) {
        if (this.#leaving.signal.aborted) {
            return this.#end();
        }
        const { reason, message } = broken;
        if (!this.#settings.reconnect || !this.#user.mayReturn(broken)) {
            return this.#end(reason, message);
        }
        this.#state = "reconnecting";
        this.#user.broke(because(broken));
        // The system of a frozen server still accepts connections, so an attempt there takes the whole timeout. A server that lives says why
        // it closes.
        const isSilent = reason === CloseReasons.IdleTimeout && message === undefined;
        if (isSilent || reason === CloseReasons.ServerShutdown || reason === CloseReasons.NodeFenced) {
            this.moveOn(broken.endpoint);
        }
        const { network, reconnectDelayMs, maxReconnectDelayMs, reconnectTimeoutMs } = this.#settings;
        const giveUpAt = Date.now() + reconnectTimeoutMs + broken.retryAfterMs;
        let adviceMs = broken.retryAfterMs || (adviceOf(reason) === "reconnect-later" ? maxReconnectDelayMs : 0);
        for (let attempt = 1;; attempt++) {
            const delayMs = adviceMs > 0 ? adviceMs : backoffMs(attempt, reconnectDelayMs, maxReconnectDelayMs);
            this.#user.reconnecting({ attempt, delayMs, reason, message, online: network.online });
            const waited = await waitForAttempt(network, delayMs, adviceMs === 0, this.#leaving.signal);
            if (waited === "changed") {
                attempt = 0; // what was learned about the network no longer holds: the next waits are short again
            }
            try {
                return await this.#return(broken);
            }
            catch (error) {
                if (this.#leaving.signal.aborted) {
                    return this.#end();
                }
                const farewell = this.#link?.farewell;
                const asksBack = (farewell?.retryAfterMs ?? 0) > 0;
                if (!(asksBack || this.#user.mayPass(error))) {
                    const why = error instanceof ConnectionClosedError ? error.reason : reason;
                    return this.#end(why, error instanceof Error ? error.message : message, error);
                }
                if (Date.now() >= giveUpAt) {
                    return this.#end(reason, message, error);
                }
                adviceMs = farewell?.retryAfterMs ?? 0;
            }
        }
    }
    /** Makes one attempt. When it fails, its link has ended. */
    async #return(broken) {
        const link = await this.#connect(this.#leaving.signal);
        try {
            await this.#user.enter(link, broken);
        }
        catch (error) {
            this.moveOn(error?.endpoint ?? link.farewell?.endpoint);
            link.abort(CloseReasons.LocalClose);
            throw error;
        }
        return link;
    }
    async #connect(signal) {
        this.#link = undefined;
        for (let failures = 1;; failures++) {
            try {
                const url = this.#urls[this.#server];
                this.#link = await Link.open(url, this.#settings, signal, (link, packet) => {
                    this.probe.heard();
                    this.#user.onPacket(link, packet);
                });
                return this.#link;
            }
            catch (error) {
                this.moveOn();
                if (failures >= this.#urls.length || signal?.aborted) {
                    throw error;
                }
            }
        }
    }
    #end(reason = CloseReasons.LocalClose, message, error) {
        this.#state = "closed";
        this.probe.stop();
        this.#unsubscribe();
        const event = { reason, message, error };
        this.#user.closed(event, because(event));
        this.#resolveClosed(event);
    }
}
function because({ reason, message }) {
    return () => new ConnectionClosedError(reason, message);
}
