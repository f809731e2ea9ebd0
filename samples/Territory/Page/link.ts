// The connection to the server: packets over WebSocket (proto/PROTOCOL.md), the state in some, JSON in the others.
const PacketId = { join: 1, joined: 2, resume: 3, steer: 4, state: 5, heartbeat: 0xffff } as const;

export interface Joined {
    readonly playerId: number;
    readonly token: string;
    readonly refusal?: string;
}

const headerBytes = 8; // length(4) packet id(2) request id(2)

/** Joins, and comes back to its seat when the connection breaks. */
export class Link {
    #socket: WebSocket | undefined;
    #token: string | undefined;

    constructor(
        readonly join: { readonly name: string; readonly isSpectator: boolean },
        readonly onJoined: (joined: Joined) => void,
        readonly state: { readonly revision: number; apply(message: Uint8Array): boolean },
    ) {
        this.#connect();
    }

    steer(dx: number, dy: number): void {
        this.#send(PacketId.steer, { dx, dy });
    }

    #send(id: number, message: object): void {
        this.#write(id, new TextEncoder().encode(JSON.stringify(message)));
    }

    #write(id: number, payload: Uint8Array): void {
        if (this.#socket?.readyState !== WebSocket.OPEN) {
            return; // a steer that comes too late means nothing
        }
        const bytes = new Uint8Array(headerBytes + payload.length);
        const header = new DataView(bytes.buffer);
        header.setUint32(0, bytes.length - 4);
        header.setUint16(4, id);
        bytes.set(payload, headerBytes);
        this.#socket.send(bytes);
    }

    #connect(): void {
        const socket = new WebSocket(new URL("/ws", location.href.replace(/^http/, "ws")), "playchat.v1");
        this.#socket = socket;
        socket.binaryType = "arraybuffer";
        socket.onopen = () => {
            if (this.#token === undefined) {
                this.#send(PacketId.join, this.join);
            } else {
                this.#send(PacketId.resume, { token: this.#token, revision: this.state.revision });
            }
        };
        socket.onclose = () => setTimeout(() => this.#connect(), 1000);
        socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
            try {
                this.#receive(data);
            } catch (error) {
                console.error(error);
                socket.close();
            }
        };
    }

    #receive(data: ArrayBuffer): void {
        const view = new DataView(data);
        for (let offset = 0, end = 0; offset < data.byteLength; offset = end) {
            end = offset + 4 + view.getUint32(offset);
            const id = view.getUint16(offset + 4);
            const requestId = view.getUint16(offset + 6);
            const payload = new Uint8Array(data, offset + headerBytes, end - offset - headerBytes);
            if (id === PacketId.state) {
                this.state.apply(payload);
            } else if (id === PacketId.joined) {
                const joined = JSON.parse(new TextDecoder().decode(payload)) as Joined;
                this.#token = joined.refusal === undefined ? joined.token : undefined;
                this.onJoined(joined);
            } else if (id === PacketId.heartbeat && requestId !== 0) {
                this.#write(PacketId.heartbeat, new Uint8Array());
            }
        }
    }
}
