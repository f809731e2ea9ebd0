// What several parts of the site do with Markdown.

/** Changes the text of a page, but neither code blocks nor inline code. */
export function outsideCode(text, change) {
    const code = /(^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\2[`~]* *$|`[^`\n]+`)/gm;
    const kept = [];
    const marked = text.replace(code, block => `\u0000${kept.push(block) - 1}\u0000`);
    return change(marked).replace(/\u0000(\d+)\u0000/g, (_, index) => kept[Number(index)]);
}

/** The name of a heading in a link, as GitHub makes it. */
export function slug(heading) {
    return heading.replace(/&(lt|gt|amp|quot);/g, "").trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "").replace(/ /g, "-");
}
