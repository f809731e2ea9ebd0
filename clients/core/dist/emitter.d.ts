/** Typed events. A handler that throws is reported on the console and does not disturb the other handlers. */
export declare class Emitter<TEvents extends object> {
    #private;
    /**
     * Calls the handler for each event of this name, in the order of the events.
     * @returns A function that removes the handler.
     */
    on<TName extends keyof TEvents>(name: TName, handler: (event: TEvents[TName]) => void): () => void;
    emit<TName extends keyof TEvents>(name: TName, event: TEvents[TName]): void;
}
