// Draws a Mermaid diagram. A classic script, so that it works in a page that is opened from a folder as well.
// The library is loaded with the first diagram only.
let library;

function loadMermaid(root) {
    library ??= new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = `${root}mermaid.min.js`;
        script.onload = () => resolve(globalThis.mermaid);
        script.onerror = () => reject(new Error("mermaid.min.js is missing."));
        document.head.append(script);
    });
    return library;
}

let drawn = 0;

// One after the other: the library has one set of colours at a time.
let queue = Promise.resolve();

globalThis.drawDiagram = (element, root) => queue = queue.then(async () => {
    const mermaid = await loadMermaid(root);
    mermaid.initialize({
        startOnLoad: false,
        theme: document.documentElement.classList.contains("dark") ? "dark" : "neutral",
        fontFamily: getComputedStyle(document.body).fontFamily,
        flowchart: { wrappingWidth: 400 },
        sequence: { actorMargin: 40, width: 110 },
    });
    const { svg } = await mermaid.render(`diagram-${++drawn}`, decodeURIComponent(element.dataset.code));
    element.innerHTML = svg;
}).catch(error => console.error(error));
