import { type DescMessage, type MessageInitShape, type MessageShape, create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { ChatError, ConnectionClosedError, RequestTimeoutError } from "./errors.js";
import { ErrorCode } from "./gen/error_pb.js";
import type { Link } from "./link.js";
import type { LoginState } from "./login.js";
import type { Settings } from "./options.js";
import type { RequestType } from "./packets.js";
import type { PendingRequest, PendingRequests } from "./pending.js";
import { encodePacket, frameBytes } from "./wire.js";

/** How long one request may take. */
export interface RequestOptions {
    /** Milliseconds to wait for the answer, breaks of the connection included. Default: `requestTimeoutMs` of the client. */
    timeoutMs?: number | undefined;
    /** Stops waiting. The server may carry the request out nevertheless. */
    signal?: AbortSignal | undefined;
}

interface Exchange<TAnswer extends DescMessage> extends RequestOptions {
    leavesRoom?: bigint;
    atMostOnce?: boolean;
    /** Carries the answer out when it arrives, before the next packet. */
    apply?: (answer: MessageShape<TAnswer>) => void;
}

/** Sends requests and awaits their answers. A request leaves nothing behind, however it ends. */
export class RequestSender {
    constructor(
        private readonly pending: PendingRequests,
        private readonly login: LoginState,
        private readonly settings: Settings,
    ) {}

    /** Sends a request, during a break on the next connection. */
    request<TRequest extends DescMessage, TAnswer extends DescMessage>(
        type: RequestType<TRequest, TAnswer>, init: MessageInitShape<TRequest>, options: Exchange<TAnswer> = {},
    ): Promise<MessageShape<TAnswer>> {
        return this.#exchange(type, init, options, (request) => {
            const { maxRequests, maxBufferedBytes } = this.settings;
            if (this.pending.count >= maxRequests || (this.pending.link?.bufferedBytes ?? 0) > maxBufferedBytes) {
                throw new ChatError(ErrorCode.SERVER_BUSY, "Too many requests wait. Try again in a moment.");
            }
            return this.pending.add(request);
        });
    }

    /** Sends a request on this link and no other. The end of the link fails it. */
    async ask<TRequest extends DescMessage, TAnswer extends DescMessage>(
        link: Link, type: RequestType<TRequest, TAnswer>, init: MessageInitShape<TRequest>, options: Exchange<TAnswer>,
    ): Promise<MessageShape<TAnswer>> {
        const ended = new AbortController();
        void link.closed.then((end) => ended.abort(new ConnectionClosedError(end.reason, end.message)));
        const signal = options.signal === undefined ? ended.signal : AbortSignal.any([options.signal, ended.signal]);
        return this.#exchange(type, init, { ...options, signal }, (request) => this.pending.ask(link, request));
    }

    #exchange<TRequest extends DescMessage, TAnswer extends DescMessage>(
        type: RequestType<TRequest, TAnswer>,
        init: MessageInitShape<TRequest>,
        { timeoutMs = this.settings.requestTimeoutMs, signal, leavesRoom, atMostOnce, apply }: Exchange<TAnswer>,
        send: (request: PendingRequest) => number,
    ): Promise<MessageShape<TAnswer>> {
        return new Promise((resolve, reject) => {
            signal?.throwIfAborted();
            const body = toBinary(type.request, create(type.request, init));
            if (frameBytes(body) > this.login.maxFrameBytes) {
                // Sent, it would end the connection.
                throw new RangeError(`The request has ${body.byteLength} bytes, more than the server takes.`);
            }
            let id = 0;
            let timer: ReturnType<typeof setTimeout> | undefined;
            const settle = (): void => {
                clearTimeout(timer);
                signal?.removeEventListener("abort", aborted);
                this.pending.remove(id);
            };
            const fail = (error: Error): void => {
                settle();
                reject(error);
            };
            const succeed = (answer: MessageShape<TAnswer>): void => {
                settle();
                apply?.(answer);
                resolve(answer);
            };
            const aborted = (): void => fail(signal?.reason as Error);
            id = send({
                answerId: type.answerId,
                leavesRoom,
                atMostOnce,
                encode: (requestId) => encodePacket(type.id, requestId, body),
                complete: (payload) => succeed(fromBinary(type.answer, payload)),
                completeLeft: () => succeed(create(type.answer)),
                fail,
            });
            signal?.addEventListener("abort", aborted);
            if (timeoutMs !== Infinity) {
                timer = setTimeout(() => {
                    fail(new RequestTimeoutError(`The server did not answer within ${timeoutMs} ms.`));
                }, Math.min(timeoutMs, 0x7fffffff));
            }
        });
    }
}
