import { type PendingRequest, PendingRequests } from "@playchat/core/parts";

/** A request of the chat that waits for its answer. */
export interface ChatRequest extends PendingRequest {
    /** The packet id of the answer. */
    readonly answerId: number;
    /** The room that it asks to leave. */
    readonly leavesRoom?: bigint | undefined;
    /** Takes the answer's payload. */
    complete(payload: Uint8Array): void;
    /** Completes a request to leave a room that the server has let the player go from in another way. */
    completeLeft(): void;
}

/** The requests of the chat that wait. */
export class ChatRequests extends PendingRequests<ChatRequest> {
    /** The requests to leave a room. */
    leaves(): { id: number; roomId: bigint }[] {
        return this.all().flatMap(([id, { leavesRoom }]) => (leavesRoom === undefined ? [] : { id, roomId: leavesRoom }));
    }

    /** Completes what `leaves` has found: the server has let the player go by not letting it in. */
    completeLeaves(leaves: readonly { id: number }[]): void {
        for (const { id } of leaves) {
            this.get(id)?.completeLeft();
            this.remove(id);
        }
    }
}
