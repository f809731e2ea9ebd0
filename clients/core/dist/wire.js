// Packets as bytes. Wire form: proto/PROTOCOL.md, "Packet".
/** The id of the framework's heartbeat packet; it is no message of any protocol. */
export const heartbeatPacketId = 0xffff;
// length(4) packet id(2) request id(2)
const headerBytes = 8;
// The largest value of the length field that every client must take: proto/PROTOCOL.md, "Limits".
const maxServerFrameBytes = 1024 * 1024;
/** The value of the length field of a packet with this payload. */
export function frameBytes(payload) {
    return headerBytes - 4 + payload.byteLength;
}
export function encodePacket(id, requestId, payload) {
    const bytes = new Uint8Array(headerBytes + payload.byteLength);
    const header = new DataView(bytes.buffer);
    header.setUint32(0, frameBytes(payload));
    header.setUint16(4, id);
    header.setUint16(6, requestId);
    bytes.set(payload, headerBytes);
    return bytes;
}
/**
 * Cuts a WebSocket message into its packets. The payloads are views into the message.
 * @returns `undefined` when the message is not one or more whole packets.
 */
export function decodePackets(message) {
    const view = new DataView(message);
    const packets = [];
    let offset = 0;
    while (offset + headerBytes <= message.byteLength) {
        const length = view.getUint32(offset);
        const end = offset + 4 + length;
        if (length < 4 || length > maxServerFrameBytes || end > message.byteLength) {
            return undefined;
        }
        packets.push({
            id: view.getUint16(offset + 4),
            requestId: view.getUint16(offset + 6),
            payload: new Uint8Array(message, offset + headerBytes, length - 4),
        });
        offset = end;
    }
    return offset === message.byteLength && packets.length > 0 ? packets : undefined;
}
