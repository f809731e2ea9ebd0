// A TCP proxy that can break its connections.
import net from "node:net";

export class CuttingProxy {
    #server;
    #pairs = new Set();
    cuts = 0;

    static async start(port) {
        const proxy = new CuttingProxy();
        proxy.#server = net.createServer((client) => {
            const server = net.connect(port, "127.0.0.1");
            const pair = [client, server];
            proxy.#pairs.add(pair);
            for (const [from, to] of [[client, server], [server, client]]) {
                from.on("error", () => {}); // a cut is what the test is about
                from.on("close", () => {
                    to.destroy();
                    proxy.#pairs.delete(pair);
                });
                from.pipe(to);
            }
        });
        await new Promise((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
        return proxy;
    }

    get port() {
        return this.#server.address().port;
    }

    /** Resets all connections. */
    cut() {
        this.cuts++;
        for (const pair of this.#pairs) {
            pair.forEach((socket) => socket.resetAndDestroy());
        }
    }

    /** Passes nothing on any more in the connections that there are, as a network does whose cable was pulled. */
    silence() {
        for (const pair of this.#pairs) {
            pair.forEach((socket) => socket.unpipe().pause());
        }
    }

    async dispose() {
        this.cut();
        await new Promise((resolve) => this.#server.close(resolve));
    }
}
