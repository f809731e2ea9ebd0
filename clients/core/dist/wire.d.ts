/** The id of the framework's heartbeat packet; it is no message of any protocol. */
export declare const heartbeatPacketId = 65535;
export interface Packet {
    readonly id: number;
    /** 0 when the packet is neither a request nor an answer. */
    readonly requestId: number;
    readonly payload: Uint8Array;
}
/** The value of the length field of a packet with this payload. */
export declare function frameBytes(payload: Uint8Array): number;
export declare function encodePacket(id: number, requestId: number, payload: Uint8Array): Uint8Array<ArrayBuffer>;
/**
 * Cuts a WebSocket message into its packets. The payloads are views into the message.
 * @returns `undefined` when the message is not one or more whole packets.
 */
export declare function decodePackets(message: ArrayBuffer): Packet[] | undefined;
