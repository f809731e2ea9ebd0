// Two additions to Markdown that GitHub has as well, or that it does not need.

/** Draws ```mermaid blocks in the browser, as GitHub does. */
export function diagrams(md) {
    const fence = md.renderer.rules.fence;
    md.renderer.rules.fence = (tokens, index, ...rest) => {
        const block = tokens[index];
        if (block.info.trim() === "mermaid") {
            return `<Diagram code="${md.utils.escapeHtml(encodeURIComponent(block.content))}" />\n`;
        }
        block.info = /^hex( |$)/.test(block.info) ? "text" : block.info; // "hex packet" is a word of this repository
        return fence(tokens, index, ...rest);
    };
}

/** Links code that names a public type or member to its page: once in each section, so that a page stays easy to read. */
export function linkSymbols(md, symbols) {
    md.core.ruler.push("symbols", state => {
        if (state.env.relativePath?.startsWith("api/")) {
            return; // these pages have their own links
        }
        let linked = new Set();
        state.tokens.forEach((token, index) => {
            if (token.type === "heading_open") {
                linked = new Set();
            }
            if (token.type === "inline" && state.tokens[index - 1]?.type !== "heading_open") {
                token.children = withLinks(state, token.children, symbols, linked);
            }
        });
    });
}

function withLinks(state, tokens, symbols, linked) {
    let depth = 0;
    return tokens.flatMap(token => {
        depth += token.type === "link_open" ? 1 : token.type === "link_close" ? -1 : 0;
        const page = token.type === "code_inline" && depth === 0 ? symbols[token.content.replace(/\(.*\)$/, "")] : undefined;
        if (typeof page !== "string" || linked.has(page)) {
            return [token];
        }
        linked.add(page);
        const open = new state.Token("link_open", "a", 1);
        open.attrs = [["href", page], ["class", "symbol"]];
        return [open, token, new state.Token("link_close", "a", -1)];
    });
}
