// The console client as a process of its own, whose user types lines and reads lines.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../src/PlayChat.Client/bin/Debug/net8.0/PlayChat.Client.dll", import.meta.url));

export class ConsoleClient {
    #process;
    #lines = [];
    #changed = () => {};
    #folder = mkdtempSync(join(tmpdir(), "playchat-console-"));

    constructor(...args) {
        if (!existsSync(program)) {
            throw new Error(`There is no ${program}. Build it: dotnet build src/PlayChat.Client`);
        }
        this.#process = spawn("dotnet", [program, ...args], { cwd: this.#folder, env: { ...process.env, HOME: this.#folder } });
        for (const output of [this.#process.stdout, this.#process.stderr]) {
            createInterface(output).on("line", (line) => {
                this.#lines.push(line);
                this.#changed();
            });
        }
    }

    get output() {
        return this.#lines.join("\n");
    }

    type(line) {
        this.#process.stdin.write(`${line}\n`);
    }

    /** Waits for a line, which may have come already. */
    async sees(text) {
        const deadline = setTimeout(() => this.#changed("late"), 60_000); // a hang, not a slow machine
        while (!this.#lines.some((line) => line.includes(text))) {
            if (await new Promise((resolve) => { this.#changed = resolve; }) === "late") {
                throw new Error(`The console client did not show "${text}":\n${this.output}`);
            }
        }
        clearTimeout(deadline);
    }

    async dispose() {
        if (this.#process.exitCode === null && this.#process.signalCode === null) {
            const exited = new Promise((resolve) => this.#process.once("exit", resolve));
            this.#process.kill("SIGKILL");
            await exited;
        }
        rmSync(this.#folder, { recursive: true, force: true });
    }
}
