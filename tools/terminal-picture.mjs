#!/usr/bin/env node
// Draws a terminal's screen as SVG. Reads what `tmux capture-pane -e -p` prints. Needs Node, no packages.
import { readFileSync } from 'node:fs';

const usage = `Draws a terminal's screen as SVG, with the colours of a light or a dark terminal.

Usage: tmux capture-pane -e -p -t SESSION | tools/terminal-picture.mjs [light|dark] > FILE.svg
`;
const theme = process.argv[2] ?? 'light';
if (theme === '--help' || theme === '-h') {
    process.stdout.write(usage);
    process.exit(0);
}
if (theme !== 'light' && theme !== 'dark') {
    console.error(theme.startsWith('-')
        ? `terminal-picture: There is no option ${theme}; --help lists all.`
        : `terminal-picture: The theme is light or dark, not '${theme}'.`);
    process.exit(2);
}

const dark = theme === 'dark';
const background = dark ? '#0d1117' : '#ffffff';
const foreground = dark ? '#e6edf3' : '#1f2328';
const basic = dark
    ? ['#484f58', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#b1bac4',
        '#6e7681', '#ffa198', '#56d364', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#ffffff']
    : ['#24292f', '#cf222e', '#116329', '#7d4e00', '#0969da', '#8250df', '#1b7c83', '#6e7781',
        '#57606a', '#a40e26', '#1a7f37', '#633c01', '#218bff', '#a475f9', '#3192aa', '#8c959f'];
const cellWidth = 8.4;
const rowHeight = 19;
const margin = 14;

// xterm's 256 colours: 16 basic ones, a cube of 6 × 6 × 6, 24 greys.
function color(index) {
    if (index < 16) {
        return basic[index];
    }
    if (index >= 232) {
        const grey = 8 + (index - 232) * 10;
        return `rgb(${grey},${grey},${grey})`;
    }
    const level = (n) => (n === 0 ? 0 : 55 + n * 40);
    const cube = index - 16;
    return `rgb(${level(Math.floor(cube / 36))},${level(Math.floor(cube / 6) % 6)},${level(cube % 6)})`;
}

function apply(style, parameters) {
    const codes = parameters === '' ? [0] : parameters.split(';').map(Number);
    for (let i = 0; i < codes.length; i++) {
        const code = codes[i];
        if (code === 0) style = {};
        else if (code === 1) style = { ...style, bold: true };
        else if (code === 2) style = { ...style, dim: true };
        else if (code === 22) style = { ...style, bold: false, dim: false };
        else if (code === 7) style = { ...style, reverse: true };
        else if (code === 27) style = { ...style, reverse: false };
        else if (code >= 30 && code <= 37) style = { ...style, text: basic[code - 30] };
        else if (code >= 90 && code <= 97) style = { ...style, text: basic[code - 82] };
        else if (code === 39) style = { ...style, text: undefined };
        else if (code >= 40 && code <= 47) style = { ...style, fill: basic[code - 40] };
        else if (code >= 100 && code <= 107) style = { ...style, fill: basic[code - 92] };
        else if (code === 49) style = { ...style, fill: undefined };
        else if ((code === 38 || code === 48) && codes[i + 1] === 5) {
            style = { ...style, [code === 38 ? 'text' : 'fill']: color(codes[i + 2]) };
            i += 2;
        } else if ((code === 38 || code === 48) && codes[i + 1] === 2) {
            style = { ...style, [code === 38 ? 'text' : 'fill']: `rgb(${codes.slice(i + 2, i + 5).join(',')})` };
            i += 4;
        }
    }
    return style;
}

// East Asian wide characters and emoji take two cells.
const isWide = (text) => /\p{Extended_Pictographic}/u.test(text)
    || /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(text);
const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/ /g, '\u00a0');
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

const rows = readFileSync(0, 'utf8').replace(/\n$/, '').split('\n');
const boxes = [];
const texts = [];
let columns = 0;
let style = {};
rows.forEach((row, y) => {
    let x = 0;
    for (const part of row.split(/(\x1b\[[0-9;]*m)/)) {
        const code = /^\x1b\[([0-9;]*)m$/.exec(part);
        if (code) {
            style = apply(style, code[1]);
            continue;
        }
        let text = style.text ?? foreground;
        let fill = style.fill;
        if (style.reverse) {
            [text, fill] = [fill ?? background, text];
        }
        // One element for each run of narrow characters; each wide character is placed on its own cell.
        let run = '';
        let start = x;
        const put = () => {
            if (run.trim() !== '') {
                texts.push(`<text x="${(margin + start * cellWidth).toFixed(1)}" y="${margin + y * rowHeight + 14}" fill="${text}"`
                    + `${style.bold ? ' font-weight="bold"' : ''}${style.dim ? ' opacity="0.7"' : ''}>${escape(run)}</text>`);
            }
            run = '';
        };
        const first = x;
        for (const { segment } of characters.segment(part)) {
            const wide = isWide(segment);
            if (wide) put();
            if (run === '') start = x;
            run += segment;
            x += wide ? 2 : 1;
            if (wide) put();
        }
        put();
        if (fill && x > first) {
            boxes.push(`<rect x="${(margin + first * cellWidth).toFixed(1)}" y="${margin + y * rowHeight}"`
                + ` width="${((x - first) * cellWidth).toFixed(1)}" height="${rowHeight}" fill="${fill}"/>`);
        }
    }
    columns = Math.max(columns, x);
});
const width = Math.ceil(2 * margin + columns * cellWidth);
const height = 2 * margin + rows.length * rowHeight;
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" rx="8" fill="${background}" stroke="${basic[8]}"/>
${boxes.join('\n')}
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" xml:space="preserve">
${texts.join('\n')}
</g>
</svg>
`);
