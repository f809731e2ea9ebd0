// The browser of the tests. It is the machine's own: playwright-core brings none.
import { execFileSync } from "node:child_process";

function find() {
    for (const name of [process.env.PLAYCHAT_TEST_CHROMIUM, "chromium", "chromium-browser", "google-chrome"].filter(Boolean)) {
        try {
            return execFileSync("/bin/sh", ["-c", 'command -v "$0"', name], { encoding: "utf8" }).trim();
        } catch {
            // not this one
        }
    }
    return undefined;
}

/** Chromium's program; undefined where there is none. */
export const executable = find();

/** The option `skip` of the tests. */
export const skip = executable ? false : "Chromium is not installed, and could not be. On Debian: apt-get install chromium.";
