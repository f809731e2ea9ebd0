import { type DescMessage, type MessageInitShape, type MessageShape, create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { RequestOptions } from "@playchat/core";
import { type Link, encodePacket, frameBytes, outcomeOf, untilEnd } from "@playchat/core/parts";
import { ChatError } from "./errors.js";
import { ErrorCode } from "./gen/error_pb.js";
import type { LoginState } from "./login.js";
import type { Settings } from "./options.js";
import type { RequestType } from "./packets.js";
import type { ChatRequest, ChatRequests } from "./pending.js";

interface Exchange<TAnswer extends DescMessage> extends RequestOptions {
    leavesRoom?: bigint;
    atMostOnce?: boolean;
    /** Carries the answer out when it arrives, before the next packet. */
    apply?: (answer: MessageShape<TAnswer>) => void;
}

/** Sends requests and awaits their answers. A request leaves nothing behind, however it ends. */
export class RequestSender {
    constructor(
        private readonly pending: ChatRequests,
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
        const signal = untilEnd(link, options.signal);
        return this.#exchange(type, init, { ...options, signal }, (request) => this.pending.ask(link, request));
    }

    #exchange<TRequest extends DescMessage, TAnswer extends DescMessage>(
        type: RequestType<TRequest, TAnswer>,
        init: MessageInitShape<TRequest>,
        { timeoutMs = this.settings.requestTimeoutMs, signal, leavesRoom, atMostOnce, apply }: Exchange<TAnswer>,
        send: (request: ChatRequest) => number,
    ): Promise<MessageShape<TAnswer>> {
        return outcomeOf(timeoutMs, signal, ({ succeed, fail }) => {
            const body = toBinary(type.request, create(type.request, init));
            if (frameBytes(body) > this.login.maxFrameBytes) {
                // Sent, it would end the connection.
                throw new RangeError(`The request has ${body.byteLength} bytes, more than the server takes.`);
            }
            const id = send({
                answerId: type.answerId,
                leavesRoom,
                atMostOnce,
                encode: (requestId) => encodePacket(type.id, requestId, body),
                complete: (payload) => succeed(fromBinary(type.answer, payload), apply),
                completeLeft: () => succeed(create(type.answer), apply),
                fail,
            });
            return () => this.pending.remove(id);
        });
    }
}
