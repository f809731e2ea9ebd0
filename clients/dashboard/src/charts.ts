import { draw, make } from "./dom.js";

const width = 150;
const height = 34;

// A pixel of the line's own width stays free above and below.
const margin = 1;

/** Draws values over time, the newest at the right. */
export function spark(values: number[], label: string, capacity: number): SVGElement {
    const most = Math.max(...values, 1e-9);
    const step = width / Math.max(capacity - 1, 1);
    const first = capacity - values.length;
    const points = values.map((value, i) => {
        const x = ((first + i) * step).toFixed(1);
        const y = (height - margin - (value / most) * (height - 2 * margin)).toFixed(1);
        return `${x} ${y}`;
    });
    const line = points.length === 0 ? "" : `M${points.join("L")}`;
    const area = line === "" ? "" : `${line}L${width} ${height}L${(first * step).toFixed(1)} ${height}Z`;
    return draw(
        "svg", { class: "spark", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
        draw("path", { class: "area", d: area }), draw("path", { class: "line", d: line }));
}

/** Draws how many messages took how long, one column a slot of time, the longest times on top. */
export function heatMap(columns: number[][], bounds: string[], seconds: number): HTMLElement {
    const rows = bounds.length;
    const total = columns.flat().reduce((sum, value) => sum + value, 0);
    const most = Math.max(...columns.flat(), 1);
    const cells = columns.flatMap((column, x) => column.flatMap((value, row) => value === 0 ? [] : [draw("rect", {
        x, y: rows - 1 - row, width: 1, height: 1,
        // By the logarithm, or the few slow messages, which matter most, could not be seen beside the many fast ones.
        "fill-opacity": (0.15 + 0.85 * (Math.log1p(value) / Math.log1p(most))).toFixed(2),
    })]));
    const chart = draw(
        "svg",
        {
            viewBox: `0 0 ${Math.max(columns.length, 1)} ${rows}`, preserveAspectRatio: "none", role: "img",
            "aria-label": `Heat map of the handling times of ${total} messages`,
        },
        ...cells);
    const labels = make("ol", "", ...bounds.map((bound) => make("li", "", bound)).reverse());
    return make(
        "div", "heat", labels, chart as unknown as HTMLElement,
        make("p", "", make("span", "", `${Math.round(seconds / 60)} min ago`), make("span", "", "now")));
}

/** Draws a part of a whole. */
export function bar(part: number): SVGElement {
    return draw(
        "svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
        draw("rect", { x: 0, y: 0, width: (part * 100).toFixed(1), height: 10 }));
}

export interface Mark {
    part: number; // of the width, from 0 to 1
    look: string;
    title: string;
    choose: () => void;
}

/** Draws what happened over time as marks. */
export function lane(marks: Mark[], label: string): SVGElement {
    return draw("svg", { viewBox: "0 0 1000 10", preserveAspectRatio: "none", role: "img", "aria-label": label }, ...marks.map((mark) => {
        const title = draw("title", {});
        title.textContent = mark.title;
        const drawn = draw("rect", { x: (mark.part * 996).toFixed(1), y: 0, width: 4, height: 10, class: mark.look }, title);
        drawn.addEventListener("click", mark.choose);
        return drawn;
    }));
}
