/**
 * A script for a page that a browser opens from a folder (file://). Browsers load no modules from there, so the page stays as it was built: it
 * can be read, and its links work, but there is no search. The script makes its addresses relative, and draws the diagrams.
 */
export function openFromFolder(page) {
    const root = "../".repeat(page.split("/").length - 1) || "./";
    return `if (location.protocol === "file:") {
    document.documentElement.classList.add("from-folder");
    const local = () => {
        for (const name of ["href", "src"]) {
            for (const element of document.querySelectorAll("[" + name + "^='/']")) {
                const path = element.getAttribute(name).slice(1).split("#");
                path[0] = path[0] === "" || path[0].endsWith("/") ? path[0] + "index.html" : path[0];
                element.setAttribute(name, "${root}" + path.join("#"));
            }
        }
    };
    new MutationObserver(local).observe(document, { childList: true, subtree: true });
    addEventListener("DOMContentLoaded", () => {
        local();
        const script = document.createElement("script");
        script.src = "${root}diagrams.js";
        script.onload = () => document.querySelectorAll(".diagram").forEach(element => drawDiagram(element, "${root}"));
        document.body.append(script);
    });
}`;
}
