// How the local search of VitePress ranks. Guides answer questions in words; a type or a member is found by its name.
// VitePress writes these functions into the pages, so each of them stands alone.
export const ranking = {
    options: {
        // "RoomSettings" is found by its parts as well.
        tokenize: text => text.split(/[\n\r\p{Z}\p{P}<>=|`]+/u).flatMap(word => {
            const parts = word.split(/(?<=[a-z0-9])(?=[A-Z])/u);
            return parts.length > 1 ? [word, ...parts] : [word];
        }),
    },
    searchOptions: {
        tokenize: text => text.split(/[\n\r\p{Z}\p{P}<>=|`]+/u),
        // The small words of a question are on every page, and would decide which page is first.
        processTerm: term => /^(an?|the|of|in|on|at|to|for|from|by|with|without|and|or|is|are|be|do|does|how|what|who|when|can|i|my|it|its)$/i.test(term)
            ? null : term.toLowerCase(),
        fuzzy: term => term.length > 5 ? 0.2 : false,
        prefix: term => term.length > 2,
        boost: { title: 4, text: 2, titles: 1 },
        // The term is the word of the page that matches: the name itself, or another word that begins with what was typed. A member with a
        // name of one word, such as Player or Token, is no better an answer than any text.
        boostDocument: (id, term, stored) => {
            if (!/\/api\//.test(id)) {
                return /\/docs\/(how-to|tutorial|explanation|faq)/.test(id) ? 1.5 : 1;
            }
            const name = String(stored?.title).split(/<|&lt;/)[0];
            return name.toLowerCase() !== term ? 0.1 : stored?.titles?.length === 0 ? 2 : /[a-z][A-Z]/.test(name) ? 1.5 : 0.1;
        },
    },
};
