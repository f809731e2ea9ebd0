// A TCP connection with the surface of a WebSocket: the client then speaks to the server's TCP endpoint, packet for packet the same.
import net from "node:net";

export class TcpSocket {
    binaryType = "";
    onopen = null;
    onmessage = null;
    onclose = null;
    onerror = null;
    readyState = 0;
    #socket;
    #received = Buffer.alloc(0);

    constructor(url) {
        const { hostname, port } = new URL(url);
        this.#socket = net.connect(Number(port), hostname);
        this.#socket.setNoDelay(true);
        this.#socket.on("connect", () => {
            this.readyState = 1;
            this.onopen?.({});
        });
        this.#socket.on("data", (chunk) => this.#receive(chunk));
        this.#socket.on("error", () => {}); // "close" follows
        this.#socket.on("close", (hadError) => {
            this.readyState = 3;
            this.onclose?.({ code: hadError ? 1006 : 1005, reason: "" });
        });
    }

    get bufferedAmount() {
        return this.#socket.writableLength;
    }

    send(data) {
        this.#socket.write(data);
    }

    close() {
        this.readyState = Math.max(this.readyState, 2);
        this.#socket.end();
    }

    #receive(chunk) {
        this.#received = Buffer.concat([this.#received, chunk]);
        let end = 0;
        while (this.#received.length >= end + 4 && this.#received.length >= end + 4 + this.#received.readUInt32BE(end)) {
            end += 4 + this.#received.readUInt32BE(end);
        }
        if (end > 0) {
            const whole = this.#received.subarray(0, end);
            this.#received = this.#received.subarray(end);
            this.onmessage?.({ data: new Uint8Array(whole).buffer });
        }
    }
}
