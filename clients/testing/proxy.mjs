// A TCP proxy that can break its connections, and that goes to another server when the first is gone.
import net from "node:net";

/** A connection to the first server that takes one. */
async function firstOf(ports) {
    for (const port of ports) {
        const server = net.connect(port, "127.0.0.1");
        if (await new Promise((resolve) => server.once("connect", () => resolve(true)).once("error", () => resolve(false)))) {
            return server;
        }
    }
    return undefined;
}

export class CuttingProxy {
    #server;
    #pairs = new Set();
    cuts = 0;

    static async start(...ports) {
        const proxy = new CuttingProxy();
        proxy.#server = net.createServer(async (client) => {
            client.on("error", () => {});
            const server = await firstOf(ports);
            if (server === undefined || client.destroyed) {
                client.destroy();
                server?.destroy();
                return;
            }
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
