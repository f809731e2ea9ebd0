// The servers and proxies of the contract, in this process of Node.
import { GameServer } from "../../testing/gameServer.mjs";
import { CuttingProxy } from "../../testing/proxy.mjs";

export class ContractHost {
    #servers = new Map(); // by their arguments
    #proxies = new Map(); // by their addresses

    /** The address of a server with these arguments, which runs until the end. */
    async server(...args) {
        const key = args.join(" ");
        if (!this.#servers.has(key)) {
            this.#servers.set(key, GameServer.start("origins=*", ...args));
        }
        return (await this.#servers.get(key)).webSocketUrl;
    }

    /** The address of a proxy in front of a server. */
    async proxy(address) {
        const proxy = await CuttingProxy.start(Number(new URL(address).port));
        const url = `ws://127.0.0.1:${proxy.port}/ws`;
        this.#proxies.set(url, proxy);
        return url;
    }

    cut(proxy) {
        this.#proxies.get(proxy).cut();
    }

    silence(proxy) {
        this.#proxies.get(proxy).silence();
    }

    async close(proxy) {
        await this.#proxies.get(proxy).dispose();
        this.#proxies.delete(proxy);
    }

    async dispose() {
        await Promise.all([...this.#proxies.keys()].map((proxy) => this.close(proxy)));
        await Promise.all([...this.#servers.values()].map(async (server) => (await server).stop()));
    }
}
