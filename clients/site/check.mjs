// Checks the built site: each link leads to a file, and to a heading that exists; each page of docs is in the navigation; no page loads
// anything from the web. Usage: node check.mjs FOLDER BASE
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const [folder, base] = process.argv.slice(2);
const pages = readdirSync(folder, { recursive: true }).filter(file => file.endsWith(".html"));
// A report that the benchmark writes is a document of its own; it stands alone.
const html = new Map(pages.map(page => [page, readFileSync(join(folder, page), "utf8")]));
const places = new Map([...html].map(([page, text]) => [page, new Set([...text.matchAll(/ id="([^"]*)"/g)].map(match => decode(match[1])))]));
const problems = new Set();
let links = 0;

for (const [page, text] of html) {
    for (const [, name, value] of text.replace(/<script[\s\S]*?<\/script>/g, "").matchAll(/ (href|src|srcset)="([^"]*)"/g)) {
        const target = decode(value);
        if (/^[a-z]+:/i.test(target) || target.startsWith("//")) {
            continue; // to the web; what a page loads from there is below
        }
        links++;
        const [path, place] = target.split("#");
        const file = path === "" ? page : fileOf(path.startsWith("/") ? path : posix.join(base, posix.dirname(page), path));
        if (file === null) {
            problems.add(`${page} leads to ${target}, which is not there.`);
        } else if (place && name === "href" && !places.get(file)?.has(decodeURIComponent(place))) {
            problems.add(`${page} leads to ${target}, but ${file} has no such heading.`);
        }
    }
    for (const [tag] of text.matchAll(/<(?:script|img|source|iframe|link)\b[^>]* (?:src|srcset|href)="(?:https?:)?\/\/[^>]*>/g)) {
        problems.add(`${page} loads from the web: ${tag}`);
    }
}
for (const style of readdirSync(join(folder, "assets")).filter(file => file.endsWith(".css"))) {
    for (const [address] of readFileSync(join(folder, "assets", style), "utf8").matchAll(/url\(["']?(?:https?:)?\/\/[^)]*\)|@import[^;]*/g)) {
        problems.add(`assets/${style} loads from the web: ${address}`);
    }
}

const repository = join(dirname(fileURLToPath(import.meta.url)), "../..");
const overview = html.get("docs/index.html");
for (const file of readdirSync(join(repository, "docs"), { recursive: true }).filter(name => name.endsWith(".md") && !name.endsWith("README.md"))) {
    if (!overview.includes(`href="${base}docs/${file.replace(/\.md$/, ".html")}"`)) {
        problems.add(`docs/${file} is not in the navigation.`);
    }
}

problems.forEach(problem => console.error(`site: ${problem}`));
console.log(`${pages.length} pages, ${links} links, ${problems.size} problems`);
process.exit(problems.size > 0 || pages.length < 100 ? 1 : 0);

/** The file that a web server gives for a path; null for none. */
function fileOf(path) {
    if (!path.startsWith(base)) {
        return null;
    }
    const file = decodeURIComponent(path.slice(base.length));
    const candidate = file === "" || file.endsWith("/") ? `${file}index.html` : file;
    return existsSync(join(folder, candidate)) && statSync(join(folder, candidate)).isFile() ? candidate : null;
}

function decode(text) {
    return text.replace(/&quot;/g, "\"").replace(/&#39;/g, "'").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}
