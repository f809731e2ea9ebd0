import { make } from "./dom.js";

const url = /https?:\/\/[^\s<>"'`\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/giu;

// What ends a sentence is not part of the link before it; a closing bracket is, when the link has its opening one.
function linkEnd(link: string): number {
    let end = link.length;
    for (;;) {
        const last = link.charAt(end - 1);
        const open = { ")": "(", "]": "[", "}": "{" }[last];
        if (open !== undefined ? !link.slice(0, end - 1).includes(open) : /[.,;:!?…。、，！？·]/u.test(last)) {
            end--;
        } else {
            return end;
        }
    }
}

/** Cuts a text into pieces of text and links. */
export function findLinks(text: string): { text: string; href?: string }[] {
    const pieces: { text: string; href?: string }[] = [];
    let from = 0;
    for (const match of text.matchAll(url)) {
        const link = match[0].slice(0, linkEnd(match[0]));
        const target = URL.canParse(link) ? new URL(link) : undefined;
        // A name before the host is there to deceive: https://bank.example@evil.example
        if (target === undefined || target.username !== "" || target.password !== "") {
            continue;
        }
        if (match.index > from) {
            pieces.push({ text: text.slice(from, match.index) });
        }
        pieces.push({ text: link, href: target.href });
        from = match.index + link.length;
    }
    if (from < text.length) {
        pieces.push({ text: text.slice(from) });
    }
    return pieces;
}

/** The nodes of a message's text. */
export function textNodes(text: string): (Node | string)[] {
    return findLinks(text).map(({ text: piece, href }) =>
        // The title shows the address that is visited: its host is written in ASCII there.
        href === undefined ? piece : make("a", { href, target: "_blank", rel: "noopener noreferrer nofollow", title: href }, piece));
}

// As the server compares names: in whichever form and case their letters were typed.
const fold = (text: string): string => text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");

// The server looks at so many places of a text, and at so much behind each.
const maxMentions = 10;
const maxNameUnits = 64;
const maxNameWords = 5;

/**
 * Whether a text mentions a player, as the server counts it: "@" and the whole name, before white space, with or without punctuation marks.
 * @param members Those of the room: where the longer name of another member stands, that one is mentioned.
 */
export function mentions(text: string, name: string, members: readonly { readonly name: string }[]): boolean {
    return name !== "" && [...text.matchAll(/@/g)].slice(0, maxMentions).some(({ index }) => {
        const [behind = ""] = text.slice(index + 1, index + 1 + maxNameUnits).split("@");
        const ends = [...behind.matchAll(/\s|$/gu)].slice(0, maxNameWords).reverse(); // the longest first
        const said = ends.map((end) => behind.slice(0, end.index))
            .flatMap((words) => [fold(words), fold(words.replace(/[.,:;!?)'"]+$/u, ""))]);
        const at = said.indexOf(fold(name));
        return at >= 0 && !said.slice(0, at).some((words) => members.some((member) => fold(member.name) === words));
    });
}

/** Bytes of the text as UTF-8. */
export function utf8Bytes(text: string): number {
    return new TextEncoder().encode(text).byteLength;
}

const graphemes = new Intl.Segmenter();

function firstGrapheme(text: string): string {
    // A grapheme with a tower of marks is shown by its letter alone.
    const first = graphemes.segment(text)[Symbol.iterator]().next().value?.segment ?? "";
    return first.length > 16 ? ([...first][0] ?? "") : first;
}

/** One or two letters that stand for a name. */
export function initials(name: string): string {
    const words = name.trim().split(/[\s._-]+/u).filter((word) => word !== "");
    const first = firstGrapheme(words[0] ?? name);
    // One character of a CJK name, or an emoji, is as wide as two Latin letters.
    const second = /^\p{Script=Latin}/u.test(first) && words.length > 1 ? firstGrapheme(words.at(-1) ?? "") : "";
    return (first + second).toLocaleUpperCase();
}

const colours = 10;

/** The round picture of a player: its initials on a colour of its own. */
export function avatar(name: string, size = ""): HTMLElement {
    let hash = 0x811c9dc5; // FNV-1a
    for (const character of name.toLowerCase()) {
        hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
    }
    const element = make("span", { className: `avatar c${((hash >>> 16) ^ (hash & 0xffff)) % colours} ${size}` }, initials(name));
    element.ariaHidden = "true";
    return element;
}
