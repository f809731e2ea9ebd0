/** A line that was typed: something to say, or a command. */
export type Line = { readonly say: string } | { readonly command: string; readonly argument: string };

// Other names. ChatCommand of the console client has the same names and sentences.
const names: Readonly<Record<string, string>> = {
    "/part": "/exit",
    "/leave": "/exit",
    "/query": "/msg",
    "/ignore": "/block",
    "/unignore": "/unblock",
    "/names": "/members",
    "/list": "/rooms",
};

const advices: Readonly<Record<string, string>> = {
    "/me": "Type what you do behind it: /me waves.",
    "/op": "Give a member a role: /role NAME moderator.",
    "/whois": "Nothing is known of a player but the name. /members lists the players in a room.",
    "/nick": "A name belongs to an account. Log in again to use another one.",
};

// Input methods type the wide slash, and a text that is pasted may begin with what takes no place.
const start = /^[\s\p{Cc}\p{DI}]*(?=[/\u2044\u2215\uff0f])/u;
const quoted = /^[/\u2044\u2215\uff0f]{2}/u;

/**
 * Reads a line. What begins with a slash, or with what looks like one, is a command and is never said; two slashes say one, and
 * `/me waves` says `*waves*`. Letter case does not count.
 */
export function readLine(line: string): Line {
    if (!start.test(line)) {
        return { say: line };
    }
    const seen = line.replace(start, "");
    if (quoted.test(seen)) {
        return { say: seen.slice(1) };
    }
    const [, typed = "", rest = ""] = /^.(\S*)(.*)$/su.exec(seen) ?? [];
    const name = `/${typed.toLowerCase()}`;
    const argument = rest.trim();
    return name === "/me" && argument !== "" ? { say: `*${argument}*` } : { command: names[name] ?? name, argument };
}

/** What the reader is told whose command is unknown here. */
export function advise(command: string): string {
    return advices[command] ?? `There is no command ${command}. /help lists the commands. Two slashes at the beginning say one.`;
}

/** What the reader of the page is told about an option of the console client; undefined when there is none. */
export function adviseOption(argument: string): string | undefined {
    const option = argument.split(/\s+/u).find((word) => /^--(?:type|with|private|capacity|password)$/u.test(word));
    return option === undefined ? undefined : `The page has no option ${option}. Leave it out. `
        + (option === "--type" || option === "--with" ? "The search finds rooms by name and type." : "The dialog for a new room asks for it.");
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
