import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { slug } from "../markdown.mjs";
import { ranking } from "../search.mjs";
import { diagrams, linkSymbols } from "./plugins.mjs";
import { openFromFolder } from "./open-from-folder.mjs";

const pages = process.env.PLAYCHAT_SITE_PAGES;
const { version, navigation, api, symbols } = JSON.parse(readFileSync(join(pages, "facts.json"), "utf8"));
const namespaces = {
    text: "Namespaces",
    items: Object.keys(api).map(space => ({ text: space, link: `/api/${space}/` })),
};
const guides = navigation.map(group => ({
    ...group,
    collapsed: false,
    items: group.items.map(item => item.items ? { ...item, collapsed: false } : item),
}));

export default defineConfig({
    title: "PlayChat",
    description: "A .NET framework for socket servers: chat, games and other real-time services.",
    lang: "en",
    srcDir: pages,
    cacheDir: join(pages, ".cache"),
    outDir: process.env.PLAYCHAT_SITE_OUTPUT,
    base: process.env.PLAYCHAT_SITE_BASE ?? "/",
    metaChunk: true,
    lastUpdated: false,
    head: [["link", { rel: "icon", type: "image/svg+xml", href: `${process.env.PLAYCHAT_SITE_BASE ?? "/"}icon.svg` }]],
    transformHead: ({ page }) => [["script", {}, openFromFolder(page)]],
    markdown: {
        anchor: { slugify: slug },
        config: md => md.use(diagrams).use(linkSymbols, symbols),
    },
    themeConfig: {
        logo: "/icon.svg",
        nav: [
            { text: "Getting started", link: "/docs/tutorial/getting-started" },
            { text: "Guides", link: "/docs/", activeMatch: "^/docs/(how-to|explanation|reference|$)" },
            { text: "API", link: "/api/", activeMatch: "^/api/" },
            { text: "Questions", link: "/docs/faq" },
            {
                text: `Version ${version}`,
                items: [{ text: "Changelog", link: "/CHANGELOG" }, { text: "Upgrade", link: "/docs/how-to/upgrade" }],
            },
        ],
        sidebar: {
            "/": guides,
            "/api/": [{ text: "API reference", link: "/api/" }, namespaces],
            ...Object.fromEntries(Object.entries(api).map(([space, types]) => [
                `/api/${space}/`,
                [{ text: "API reference", link: "/api/" }, { text: space, link: `/api/${space}/`, items: types }, { ...namespaces, collapsed: true }],
            ])),
        },
        outline: { level: [2, 3], label: "On this page" },
        docFooter: { prev: false, next: false },
        search: {
            provider: "local",
            options: {
                detailedView: "auto",
                miniSearch: ranking,
            },
        },
    },
    vite: {
        publicDir: join(pages, "public"),
        build: { chunkSizeWarningLimit: 20_000 },
    },
});
