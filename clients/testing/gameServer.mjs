// tests/PlayChat.GameServer as a process of its own, on a free port of the loopback.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../tests/PlayChat.GameServer/bin/Debug/net8.0/PlayChat.GameServer.dll", import.meta.url));

/** Whether the program is there. */
export const isBuilt = existsSync(program);

export class GameServer {
    #process;
    #arguments;
    #closes = [];
    #waiting = [];
    url = "";

    /** Starts a server, and waits until it listens. Arguments: see its Program.cs. */
    static async start(...args) {
        if (!isBuilt) {
            throw new Error(`There is no ${program}. Build it: dotnet build tests/PlayChat.GameServer`);
        }
        const server = new GameServer();
        server.#arguments = args;
        await server.#run("port=0");
        return server;
    }

    get port() {
        return Number(new URL(this.url).port);
    }

    get webSocketUrl() {
        return `${this.url.replace("http", "ws")}ws`;
    }

    /** The reason of the next connection that has ended, by name. */
    nextClose() {
        return this.#closes.length > 0 ? Promise.resolve(this.#closes.shift()) : new Promise((resolve) => this.#waiting.push(resolve));
    }

    /** Starts it again, on the same port. */
    restart() {
        return this.#run(`port=${this.port}`);
    }

    /** Stops it in order. */
    async stop() {
        const child = this.#process;
        if (child.exitCode === null) {
            const exited = new Promise((resolve) => child.once("exit", resolve));
            child.stdin.end();
            await exited;
        }
    }

    /** Ends it at once (SIGKILL). */
    async kill() {
        const exited = new Promise((resolve) => this.#process.once("exit", resolve));
        this.#process.kill("SIGKILL");
        await exited;
    }

    async #run(port) {
        const child = spawn("dotnet", [program, port, ...this.#arguments], { stdio: ["pipe", "pipe", "inherit"] });
        this.#process = child;
        await new Promise((resolve, reject) => {
            child.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
            createInterface(child.stdout).on("line", (line) => {
                if (line.startsWith("http")) {
                    this.url = line;
                    resolve();
                } else if (this.#waiting.length > 0) {
                    this.#waiting.shift()(line);
                } else {
                    this.#closes.push(line);
                }
            });
        });
    }
}
