import type { Link } from "./link.js";
/** A request that waits for its answer. */
export interface PendingRequest {
    /** Whether it fails when the connection that it went out on breaks, and is not sent again. A redirect has not carried it out. */
    readonly atMostOnce?: boolean | undefined;
    fail(error: Error): void;
    /** The request as a packet with this id. */
    encode(requestId: number): Uint8Array<ArrayBuffer>;
}
/** The requests that wait, by request id. They outlive a broken connection: they are held, and sent again in their order on the next. */
export declare class PendingRequests<TRequest extends PendingRequest> {
    #private;
    get count(): number;
    /** Where requests go; undefined while they are held. */
    get link(): Link | undefined;
    /** Sends the request, or holds it during a break. The caller keeps the number of requests below 32,768. */
    add(request: TRequest): number;
    /** Sends the request on a link of the caller's choice; it is not sent again. */
    ask(link: Link, request: TRequest): number;
    get(id: number): TRequest | undefined;
    /**
     * A server has named another server for a request, which was not carried out: it is sent again there.
     * @returns False when the request is of one link, or servers have sent it on too often.
     */
    redirect(id: number): boolean;
    remove(id: number): void;
    /**
     * The connection has broken: what waits is sent again later, and new requests are held.
     * @param why What the requests fail with that went out and are not sent again.
     */
    hold(why: () => Error): void;
    /** Sends what is held, in its order. From then on requests go to this link. */
    release(link: Link): void;
    /** The requests that wait, with their ids, in the order in which they came. */
    all(): [id: number, request: TRequest][];
    /** Fails the requests that have gone out on an earlier connection: whether the server carried them out is not known. */
    failSent(why: () => Error): void;
    /** Fails every request that waits and every one that comes later. */
    close(why: () => Error): void;
}
