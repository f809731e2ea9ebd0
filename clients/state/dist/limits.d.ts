/** What a replica takes from the server. A message beyond a limit ends in a `StateError`, before it takes memory. Below 2^30. */
export interface StateLimits {
    /** Bytes of a message. Default 1 MiB. */
    readonly maxMessageBytes: number;
    /** Objects; an object's number is below it. Default 65,536. */
    readonly maxObjects: number;
    /** Items of all lists and maps together. Default 1,048,576. Counted from time to time; within a list or a map at once. */
    readonly maxItems: number;
    /** Bytes of a text. Default 65,536. */
    readonly maxTextBytes: number;
    /** Characters of all texts together. Default 16,777,216. Counted from time to time. */
    readonly maxTotalText: number;
    /** Objects within objects, the root included. Default 16. More than about 1,000 may overflow the stack. */
    readonly maxDepth: number;
    /** Types of a schema. Default 256. Names in it have at most 256 bytes. */
    readonly maxTypes: number;
}
export declare const defaultLimits: StateLimits;
