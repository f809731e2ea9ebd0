// The real chat server as a process of its own, on free ports of the loopback, with all its files in a folder of its own.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const built = (path) => fileURLToPath(new URL(`../../${path}/bin/Debug/net8.0/${path.split("/")[1]}.dll`, import.meta.url));
const program = process.env.PLAYCHAT_TEST_SERVER || built("src/PlayChat.Server");

/** The server with a room of a user, which can be recorded. */
export const recordedServer = built("tests/PlayChat.RecordedServer");

// A guard against a test that would wait without end, not a measure.
const hangMs = 60_000;

// The limits that would hold a test's clients, which are faster than players and have short passwords.
const unlimited = [
    "--PlayChat:Connections:BytesPerSecond=0", "--PlayChat:Connections:FramesPerSecond=0", "--Sessions:PacketsPerSecond=0",
    "--Sessions:RoomsPerMinute=0", "--Sessions:PagesPerSecond=0", "--Rooms:MaxCreatedPerPlayer=1000000", "--Accounts:MinPasswordLength=1",
];

export class ChatServer {
    #process;
    #program;
    #output = "";
    #options;
    folder;
    tcpPort = 0;
    webPort = 0;

    /** Starts a server, and waits until it listens. */
    static start(...options) {
        return ChatServer.startProgram(program, ...options);
    }

    /** Starts another program that is this server. */
    static async startProgram(file, ...options) {
        if (!existsSync(file)) {
            throw new Error(`There is no ${file}. Build it: dotnet build its project`);
        }
        const server = new ChatServer();
        server.#program = file;
        server.folder = mkdtempSync(join(tmpdir(), "playchat-web-"));
        server.#options = options;
        await server.#run();
        return server;
    }

    /** What it has printed since it was started. */
    get output() {
        return this.#output;
    }

    get url() {
        return `http://127.0.0.1:${this.webPort}/`;
    }

    get webSocketUrl() {
        return `ws://127.0.0.1:${this.webPort}/ws`;
    }

    /** Ends the process as a crash would. */
    async kill() {
        await this.#end("SIGKILL");
    }

    /** Starts it again on the same ports, with the same files. */
    async restart() {
        await this.#run();
    }

    /** Stops it in order; its data stay. */
    async stop() {
        await this.#end("SIGTERM");
    }

    async dispose() {
        await this.#end("SIGKILL");
        rmSync(this.folder, { recursive: true, force: true });
    }

    /** Waits until the server has closed a connection of its own accord: it has written so to its log. */
    async untilLogged(pattern) {
        const deadline = Date.now() + hangMs;
        while (!pattern.test(this.#output)) {
            if (Date.now() > deadline) {
                throw new Error(`The server did not log ${pattern}:\n${this.#output}`);
            }
            await new Promise((resolve) => this.#process.stdout.once("data", resolve));
        }
    }

    async #run() {
        const args = [
            "--port", String(this.tcpPort), "--Web:Enabled=true", `--Web:Port=${this.webPort}`, "--Kpi:Table=false", ...unlimited, ...this.#options,
        ];
        const [file, all] = this.#program.endsWith(".dll") ? ["dotnet", [this.#program, ...args]] : [this.#program, args];
        // What is set for the tests must not configure the server.
        const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PLAYCHAT_")));
        const child = spawn(file, all, { cwd: this.folder, env, stdio: ["ignore", "pipe", "pipe"] });
        this.#process = child;
        this.#output = "";
        await new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error(`The server did not start:\n${this.#output}`)), hangMs);
            const take = (chunk) => {
                this.#output += chunk;
                if (/^Ctrl\+C stops/m.test(this.#output)) {
                    clearTimeout(timer);
                    resolve();
                }
            };
            child.stdout.setEncoding("utf8").on("data", take);
            child.stderr.setEncoding("utf8").on("data", take);
            child.once("exit", (code) => {
                clearTimeout(timer);
                reject(new Error(`The server ended with ${code}:\n${this.#output}`));
            });
        });
        this.tcpPort = Number(/^Listening on \S+:(\d+)/m.exec(this.#output)[1]);
        this.webPort = Number(/^Open http:\/\/[^/]*:(\d+)\//m.exec(this.#output)[1]);
    }

    async #end(signal) {
        const child = this.#process;
        if (child.exitCode === null && child.signalCode === null) {
            const exited = new Promise((resolve) => child.once("exit", resolve));
            child.kill(signal);
            await exited;
        }
    }
}
