// Servers that name each other would send a client to and fro without end.
const maxRedirects = 3;
const maxRequestId = 0xffff;
/** The requests that wait, by request id. They outlive a broken connection: they are held, and sent again in their order on the next. */
export class PendingRequests {
    // A Map keeps the order of insertion, which is the order in which requests are sent again.
    #byId = new Map();
    #lastId = 0;
    #link;
    #closed;
    get count() {
        return this.#byId.size;
    }
    /** Where requests go; undefined while they are held. */
    get link() {
        return this.#link;
    }
    /** Sends the request, or holds it during a break. The caller keeps the number of requests below 32,768. */
    add(request) {
        return this.#add(request, this.#link);
    }
    /** Sends the request on a link of the caller's choice; it is not sent again. */
    ask(link, request) {
        const id = this.#add(request, link);
        const entry = this.#byId.get(id);
        if (entry !== undefined) {
            entry.isSent = true; // also when it did not go out: the caller watches the end of the link
            entry.redirects = 0;
        }
        return id;
    }
    get(id) {
        return this.#byId.get(id)?.request;
    }
    /**
     * A server has named another server for a request, which was not carried out: it is sent again there.
     * @returns False when the request is of one link, or servers have sent it on too often.
     */
    redirect(id) {
        const entry = this.#byId.get(id);
        if (entry === undefined || entry.redirects === 0) {
            return false;
        }
        entry.redirects--;
        entry.wasSent = false;
        return true;
    }
    remove(id) {
        this.#byId.delete(id);
    }
    /**
     * The connection has broken: what waits is sent again later, and new requests are held.
     * @param why What the requests fail with that went out and are not sent again.
     */
    hold(why) {
        this.#link = undefined;
        for (const entry of this.#byId.values()) {
            if (entry.wasSent && entry.request.atMostOnce) {
                entry.request.fail(why());
            }
            entry.isSent = false;
        }
    }
    /** Sends what is held, in its order. From then on requests go to this link. */
    release(link) {
        this.#link = link;
        for (const [id, entry] of this.#byId) {
            if (!entry.isSent) {
                this.#send(link, id, entry);
            }
        }
    }
    /** The requests that wait, with their ids, in the order in which they came. */
    all() {
        return [...this.#byId].map(([id, { request }]) => [id, request]);
    }
    /** Fails the requests that have gone out on an earlier connection: whether the server carried them out is not known. */
    failSent(why) {
        for (const [id, { request, wasSent }] of [...this.#byId]) {
            if (wasSent) {
                this.remove(id);
                request.fail(why());
            }
        }
    }
    /** Fails every request that waits and every one that comes later. */
    close(why) {
        this.#closed ??= why;
        this.#link = undefined;
        const waiting = [...this.#byId.values()];
        this.#byId.clear();
        for (const { request } of waiting) {
            request.fail(why());
        }
    }
    #add(request, link) {
        if (this.#closed !== undefined) {
            throw this.#closed();
        }
        // Ids are taken in turn, so that a late answer to a request that was given up meets no other.
        do {
            this.#lastId = this.#lastId === maxRequestId ? 1 : this.#lastId + 1;
        } while (this.#byId.has(this.#lastId));
        const entry = { request, isSent: false, wasSent: false, redirects: maxRedirects };
        this.#byId.set(this.#lastId, entry);
        if (link !== undefined) {
            this.#send(link, this.#lastId, entry);
        }
        return this.#lastId;
    }
    // What does not go out waits for the next connection: the end of this link is on its way.
    #send(link, id, entry) {
        if (link.send(entry.request.encode(id))) {
            entry.isSent = entry.wasSent = true;
        }
    }
}
