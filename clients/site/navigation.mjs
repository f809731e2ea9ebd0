// The navigation, read from docs/README.md: each "##" is a group, each table below it a part of the group, each link in a first column an
// entry. A page of docs that no table lists still appears, below "More".
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

export function readNavigation(repository, pages) {
    const groups = [];
    const listed = new Set(["docs/README.md", "README.md"]);
    for (const line of readFileSync(join(repository, "docs/README.md"), "utf8").split("\n")) {
        const heading = /^## (.+)$/.exec(line);
        const cells = /^\|(.+)\|$/.exec(line)?.[1].split("|").map(cell => cell.trim());
        if (heading) {
            groups.push({ text: heading[1], items: [] });
        } else if (cells && groups.length > 0 && !/^-+$/.test(cells[0])) {
            const links = [...cells[0].matchAll(/\[([^\]]+)\]\(([^)#]+)\)/g)];
            const group = groups.at(-1);
            if (links.length > 0) {
                links.forEach(([, text, target], index) => {
                    const page = posix.join("docs", target);
                    listed.add(page);
                    // The second link of a cell continues the text of the first one.
                    const name = index === 0 ? text : headingOf(join(repository, page));
                    (group.items.at(-1)?.items ?? group.items).push({ text: name, link: linkTo(page) });
                });
            } else if (cells[0] !== "page" && !/API reference/.test(cells[0])) {
                group.items.push({ text: cells[0][0].toUpperCase() + cells[0].slice(1), items: [] });
            } else if (cells[0] !== "page") {
                group.items.push({ text: "API reference", link: "/api/" });
            }
        }
    }
    const more = pages.filter(page => page.startsWith("docs/") && !listed.has(page)).map(page => ({
        text: headingOf(join(repository, page)),
        link: linkTo(page),
    }));
    return more.length > 0 ? [...groups, { text: "More", items: more }] : groups;
}

/** For each namespace of the API the list of its types; the pages of a namespace show it beside the list of all namespaces. */
export function apiSidebar(api) {
    return Object.fromEntries(readdirSync(api, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => entry.name).sort()
        .map(space => [space, readdirSync(join(api, space)).filter(file => file !== "README.md").map(file => ({
            text: headingOf(join(api, space, file)),
            link: `/api/${space}/${file.slice(0, -3)}`,
        })).sort((left, right) => left.text < right.text ? -1 : 1)]));
}

function headingOf(file) {
    return /^# (.+)$/m.exec(readFileSync(file, "utf8"))[1];
}

function linkTo(page) {
    return `/${page.replace(/README\.md$/, "").replace(/\.md$/, "")}`;
}
