// Collects the pages of the site: README.md, all pages of docs, and everything that their links lead to, so that a reader needs neither the
// repository nor a network. Links keep their paths; only README.md becomes index.md, and a source file becomes a page that shows it.
// Usage: node stage.mjs FOLDER API
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { outsideCode } from "./markdown.mjs";
import { apiSidebar, readNavigation } from "./navigation.mjs";
import { readSymbols } from "./symbols.mjs";

const site = dirname(fileURLToPath(import.meta.url));
const repository = join(site, "../..");
const images = new Set([".gif", ".jpg", ".png", ".svg"]);
const languages = {
    ".cs": "csharp", ".csproj": "xml", ".h": "cpp", ".hpp": "cpp", ".mjs": "js", ".props": "xml", ".service": "ini", ".socket": "ini",
};
const notSources = new Set(["bin", "obj", "node_modules", "dist", "data", "logs", "artifacts"]);
const largestShown = 100_000; // bytes; a larger file is offered as it is
const [output, api] = process.argv.slice(2);
const staged = new Map(); // path in the repository → path below the output folder
const waiting = [];

rmSync(output, { recursive: true, force: true });
// The pages of the API come first: code in the other pages links to them.
for (const file of filesBelow(api)) {
    const target = toPage(posix.join("api", file));
    const text = linkReadmes(readFileSync(join(api, file), "utf8"));
    write(target, target.endsWith("/index.md") ? `---\nsearch: false\n---\n\n${text}` : text); // a list of types is no answer
}
for (const page of ["README.md", "CHANGELOG.md", ...filesBelow(join(repository, "docs")).map(file => `docs/${file}`).filter(file => file.endsWith(".md"))]) {
    stage(page);
}
while (waiting.length > 0) {
    waiting.shift()();
}

// What the pages load beside those that VitePress makes.
for (const [source, name] of [["public", "."], ["node_modules/mermaid/dist/mermaid.min.js", "mermaid.min.js"]]) {
    copy(join(site, source), join("public", name));
}

const pages = [...staged.keys()].filter(page => page.endsWith(".md"));
const facts = {
    version: /<Version>(.+)<\/Version>/.exec(readFileSync(join(repository, "Directory.Build.props"), "utf8"))[1],
    navigation: readNavigation(repository, pages),
    api: apiSidebar(api),
    symbols: readSymbols(api),
};
writeFileSync(join(output, "facts.json"), JSON.stringify(facts));
console.log(`${pages.length} pages, ${staged.size - pages.length} other files, ${Object.keys(facts.api).length} namespaces`);

/** Notes that a file or folder belongs to the site, and returns its path there; null where nothing is. */
function stage(path) {
    if (!staged.has(path)) {
        const source = join(repository, path);
        if (!existsSync(source)) {
            return null;
        }
        if (statSync(source).isDirectory()) {
            const readme = posix.join(path, "README.md");
            if (existsSync(join(repository, readme))) {
                return stage(readme);
            }
            staged.set(path, posix.join(path, "index.md"));
            waiting.push(() => write(staged.get(path), listing(path)));
        } else if (path.endsWith(".md")) {
            staged.set(path, toPage(path));
            waiting.push(() => write(staged.get(path), prepare(path, readFileSync(source, "utf8"))));
        } else if (images.has(extname(path))) {
            staged.set(path, path);
            copy(source, path);
        } else if (statSync(source).size > largestShown || path.endsWith(".html")) {
            staged.set(path, posix.join("/", path));
            copy(source, posix.join("public", path));
        } else {
            staged.set(path, `${path}.md`);
            write(`${path}.md`, shown(path, readFileSync(source, "utf8")));
        }
    }
    return staged.get(path);
}

/** A page of the repository as VitePress reads it: links lead to staged files, and what GitHub does not show is left out. */
function prepare(path, text) {
    const folder = posix.dirname(path);
    const link = target => {
        const [file, place] = target.split("#");
        if (file === "" || /^[a-z]+:/.test(file)) {
            return target;
        }
        const found = stage(posix.normalize(posix.join(folder, decodeURIComponent(file))).replace(/\/$/, ""));
        if (found === null) {
            return target; // the build names it as a dead link
        }
        const relative = found.startsWith("/") ? found : posix.relative(posix.dirname(staged.get(path)), found);
        const local = /^[./]/.test(relative) ? relative : `./${relative}`;
        return encodeURI(local) + (place === undefined ? "" : `#${place}`);
    };
    let page = outsideCode(text.replace(/^<!--[\s\S]*?-->\n?/gm, ""), part => part
        // Two pictures, of which the page shows one: GitHub asks the system for the colours, the site its own switch.
        .replace(/<picture><source media="[^"]*dark[^"]*" srcset="([^"]*)"><img alt="([^"]*)" src="([^"]*)"[^>]*><\/picture>/g, (_, dark, alt, light) =>
            `<img class="dark-only" alt="${alt}" src="${link(dark)}"><img class="light-only" alt="${alt}" src="${link(light)}">`)
        .replace(/(\]\()([^)\s]+)(\))/g, (_, before, target, after) => before + link(target) + after)
        .replace(/^(\[[^\]]+\]: +)(\S+)$/gm, (_, before, target) => before + link(target)));
    if (path === "README.md") {
        page = home(page);
    } else if (path === "docs/README.md") {
        page = page.replace(/^\| API reference \|.*$/m, "| [API reference](../api/index.md) | every public type and member of the packages |");
    }
    return page;
}

/** The page of the repository's README below the title of the site. */
function home(page) {
    const [, tagline, body] = /^# .+\n\n(.+)\n\n([\s\S]*)$/.exec(page);
    const [picture, dark, alt, light] = /<img class="dark-only" alt="[^"]*" src="([^"]*)"><img class="light-only" alt="([^"]*)" src="([^"]*)">\n/.exec(body);
    for (const file of [dark, light]) {
        copy(join(repository, file), join("public", file));
    }
    return `---
layout: home
title: PlayChat
titleTemplate: Socket servers for games and chat
hero:
  name: PlayChat
  text: Socket servers for games and chat
  tagline: ${JSON.stringify(tagline)}
  image: { light: ${JSON.stringify(light.slice(1))}, dark: ${JSON.stringify(dark.slice(1))}, alt: ${JSON.stringify(alt)} }
  actions:
    - { theme: brand, text: Getting started, link: /docs/tutorial/getting-started }
    - { theme: alt, text: Concepts, link: /docs/explanation/concepts }
    - { theme: alt, text: API reference, link: /api/ }
---

${body.replace(picture, "")}`;
}

/** A source file as a page. Search leaves it out: it finds the guides and the API. */
function shown(path, text) {
    const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(run => run[0].length + 1)));
    return `---\nsearch: false\noutline: false\n---\n\n# ${basename(path)}\n\n\`${path}\`\n\n${fence}${language(path)}\n${text.trimEnd()}\n${fence}\n`;
}

function language(path) {
    return languages[extname(path)] ?? (extname(path).slice(1) || "text");
}

/** A folder without a README as a list of its files. */
function listing(path) {
    const files = filesBelow(join(repository, path)).filter(file => !file.endsWith(".md"));
    const links = files.map(file => [file, stage(posix.join(path, file))]);
    return `---\nsearch: false\n---\n\n# ${path}\n\n${links.map(([file, target]) =>
        `- [${file}](${target.startsWith("/") ? target : `./${posix.relative(path, target)}`})`).join("\n")}\n`;
}

function filesBelow(folder) {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
        .filter(file => !file.split("/").some(part => notSources.has(part)))
        .sort();
}

function linkReadmes(text) {
    return text.replace(/(\]\([^)\s#]*)README\.md/g, "$1index.md");
}

function toPage(path) {
    return basename(path) === "README.md" ? posix.join(posix.dirname(path), "index.md") : path;
}

function copy(source, path) {
    mkdirSync(dirname(join(output, path)), { recursive: true });
    cpSync(source, join(output, path), { recursive: true });
}

function write(path, text) {
    mkdirSync(dirname(join(output, path)), { recursive: true });
    writeFileSync(join(output, path), text);
}
