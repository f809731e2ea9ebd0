/** A line that was typed: something to say, or a command. */
export type Line = { readonly say: string } | { readonly command: string; readonly argument: string };

/** Reads a line. What begins with a slash is a command and is never said; two slashes say one. */
export function readLine(line: string): Line {
    if (!line.startsWith("/")) {
        return { say: line };
    }
    if (line.startsWith("//")) {
        return { say: line.slice(1) };
    }
    const [, command = "", argument = ""] = /^\/(\S*)(.*)$/su.exec(line) ?? [];
    return { command: command.toLowerCase(), argument: argument.trim() };
}

/** Finds the player whose name begins a text. Names may have spaces, so the longest one counts. */
export function findAtStart<T extends { readonly name: string }>(players: Iterable<T>, text: string): T | undefined {
    const lower = text.toLowerCase();
    let found: T | undefined;
    for (const player of players) {
        const name = player.name.toLowerCase();
        const isAtStart = lower.startsWith(name) && (lower.length === name.length || /\s/u.test(lower.charAt(name.length)));
        if (isAtStart && name.length > (found?.name.length ?? 0)) {
            found = player;
        }
    }
    return found;
}
