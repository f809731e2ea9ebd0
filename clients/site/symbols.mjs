// Names in the API reference and their pages, so that `RoomSettings`, `CloseReason.SlowConsumer` and `OnReturn` in a guide become links.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { slug } from "./markdown.mjs";

// Of a method that several types have, the one that a room overrides is meant.
const rooms = ["MemberRoom-1.md", "Room.md", "Room-1.md"];
// Elsewhere a method is named with its type: a sample may have one of the same name.
const bareMethods = /^PlayChat\.(Core|Testing)/;

export function readSymbols(api) {
    const symbols = {};
    const methods = new Map(); // name → places
    for (const space of readdirSync(api, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => entry.name)) {
        for (const file of readdirSync(join(api, space)).filter(name => name !== "README.md")) {
            const text = readFileSync(join(api, space, file), "utf8");
            const type = /^# (.+)$/m.exec(text)[1].replaceAll("&lt;", "<");
            const page = `/api/${space}/${file}`;
            add(symbols, type, page);
            const name = type.split("<")[0];
            if (name !== type && !text.includes(`/${name}.md`)) {
                symbols[name] ??= page;
            }
            let kind = "";
            for (const [, level, heading] of text.matchAll(/^(##+) (.+)$/gm)) {
                if (level === "##") {
                    kind = heading;
                } else {
                    const place = `${page}#${slug(heading)}`;
                    symbols[`${name}.${heading}`] ??= place;
                    if (kind === "Methods" && bareMethods.test(space) && /[a-z][A-Z]/.test(heading)) {
                        methods.set(heading, [...methods.get(heading) ?? [], place]);
                    }
                }
            }
            for (const [, value] of text.matchAll(/^\| `(\w+)` \| -?\d+ \|/gm)) {
                symbols[`${name}.${value}`] ??= `${page}#values`;
            }
        }
    }
    for (const [name, places] of methods) {
        const place = places.length === 1 ? places[0] : places.find(found => rooms.some(room => found.includes(`.Rooms/${room}`)));
        if (place !== undefined) {
            symbols[name] ??= place;
        }
    }
    return Object.fromEntries(Object.entries(symbols).filter(([, place]) => place !== null));
}

// Two types of one name in different namespaces: neither gets the link.
function add(symbols, name, page) {
    symbols[name] = name in symbols ? null : page;
}
