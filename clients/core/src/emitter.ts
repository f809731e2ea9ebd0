/** Typed events. A handler that throws is reported on the console and does not disturb the other handlers. */
export class Emitter<TEvents extends object> {
    readonly #handlers = new Map<keyof TEvents, Set<(event: never) => void>>();

    /**
     * Calls the handler for each event of this name, in the order of the events.
     * @returns A function that removes the handler.
     */
    on<TName extends keyof TEvents>(name: TName, handler: (event: TEvents[TName]) => void): () => void {
        const handlers = this.#handlers.get(name) ?? new Set();
        this.#handlers.set(name, handlers.add(handler));
        return () => {
            handlers.delete(handler);
        };
    }

    emit<TName extends keyof TEvents>(name: TName, event: TEvents[TName]): void {
        for (const handler of [...(this.#handlers.get(name) ?? [])]) {
            try {
                (handler as (event: TEvents[TName]) => void)(event);
            } catch (error) {
                // The application's code: its exception must not end the connection that delivered the packet.
                console.error(`A handler of "${String(name)}" threw.`, error);
            }
        }
    }
}
