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

// Words of scripts before it stand between spaces. In Korean, Chinese and Japanese something follows a name without one.
const firstWithoutSpaces = "\u1100";

/** Whether a text has a name as a word of its own, in any letter case. */
export function hasName(text: string, name: string): boolean {
    // Some systems type a letter and its mark as two characters.
    const [lower, wanted] = [text.normalize().toLowerCase(), name.normalize().toLowerCase()];
    const isWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);
    const joins = (neighbor: string, edge: string): boolean => isWord(neighbor) && isWord(edge) && edge < firstWithoutSpaces;
    for (let at = lower.indexOf(wanted); wanted !== "" && at >= 0; at = lower.indexOf(wanted, at + 1)) {
        const end = at + wanted.length;
        if (!joins(lower.charAt(at - 1), wanted.charAt(0)) && !joins(lower.charAt(end), wanted.charAt(wanted.length - 1))) {
            return true;
        }
    }
    return false;
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
