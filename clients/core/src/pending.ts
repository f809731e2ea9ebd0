import type { Link } from "./link.js";

/** A request that waits for its answer. */
export interface PendingRequest {
    /** Whether it fails when the connection that it went out on breaks, and is not sent again. A redirect has not carried it out. */
    readonly atMostOnce?: boolean | undefined;
    fail(error: Error): void;
    /** The request as a packet with this id. */
    encode(requestId: number): Uint8Array<ArrayBuffer>;
}

interface Entry<TRequest> {
    readonly request: TRequest;
    /** Sent on the connection that is there now. */
    isSent: boolean;
    /** Sent on any connection. */
    wasSent: boolean;
    /** How often servers may still name another server for it. */
    redirects: number;
}

// Servers that name each other would send a client to and fro without end.
const maxRedirects = 3;

const maxRequestId = 0xffff;

/** The requests that wait, by request id. They outlive a broken connection: they are held, and sent again in their order on the next. */
export class PendingRequests<TRequest extends PendingRequest> {
    // A Map keeps the order of insertion, which is the order in which requests are sent again.
    readonly #byId = new Map<number, Entry<TRequest>>();
    #lastId = 0;
    #link: Link | undefined;
    #closed: (() => Error) | undefined;

    get count(): number {
        return this.#byId.size;
    }

    /** Where requests go; undefined while they are held. */
    get link(): Link | undefined {
        return this.#link;
    }

    /** Sends the request, or holds it during a break. The caller keeps the number of requests below 32,768. */
    add(request: TRequest): number {
        return this.#add(request, this.#link);
    }

    /** Sends the request on a link of the caller's choice; it is not sent again. */
    ask(link: Link, request: TRequest): number {
        const id = this.#add(request, link);
        const entry = this.#byId.get(id);
        if (entry !== undefined) {
            entry.isSent = true; // also when it did not go out: the caller watches the end of the link
            entry.redirects = 0;
        }
        return id;
    }

    get(id: number): TRequest | undefined {
        return this.#byId.get(id)?.request;
    }

    /**
     * A server has named another server for a request, which was not carried out: it is sent again there.
     * @returns False when the request is of one link, or servers have sent it on too often.
     */
    redirect(id: number): boolean {
        const entry = this.#byId.get(id);
        if (entry === undefined || entry.redirects === 0) {
            return false;
        }
        entry.redirects--;
        entry.wasSent = false;
        return true;
    }

    remove(id: number): void {
        this.#byId.delete(id);
    }

    /**
     * The connection has broken: what waits is sent again later, and new requests are held.
     * @param why What the requests fail with that went out and are not sent again.
     */
    hold(why: () => Error): void {
        this.#link = undefined;
        for (const entry of this.#byId.values()) {
            if (entry.wasSent && entry.request.atMostOnce) {
                entry.request.fail(why());
            }
            entry.isSent = false;
        }
    }

    /** Sends what is held, in its order. From then on requests go to this link. */
    release(link: Link): void {
        this.#link = link;
        for (const [id, entry] of this.#byId) {
            if (!entry.isSent) {
                this.#send(link, id, entry);
            }
        }
    }

    /** The requests that wait, with their ids, in the order in which they came. */
    all(): [id: number, request: TRequest][] {
        return [...this.#byId].map(([id, { request }]) => [id, request]);
    }

    /** Fails the requests that have gone out on an earlier connection: whether the server carried them out is not known. */
    failSent(why: () => Error): void {
        for (const [id, { request, wasSent }] of [...this.#byId]) {
            if (wasSent) {
                this.remove(id);
                request.fail(why());
            }
        }
    }

    /** Fails every request that waits and every one that comes later. */
    close(why: () => Error): void {
        this.#closed ??= why;
        this.#link = undefined;
        const waiting = [...this.#byId.values()];
        this.#byId.clear();
        for (const { request } of waiting) {
            request.fail(why());
        }
    }

    #add(request: TRequest, link: Link | undefined): number {
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
    #send(link: Link, id: number, entry: Entry<TRequest>): void {
        if (link.send(entry.request.encode(id))) {
            entry.isSent = entry.wasSent = true;
        }
    }
}
