const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { maximumFractionDigits: 1, notation: "compact" });
const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });

export const count = (value: number): string => (value < 100_000 ? whole.format(value) : short.format(value));

export function bytes(value: number): string {
    const units = ["B", "KB", "MB", "GB", "TB"];
    let unit = 0;
    let shown = value;
    while (shown >= 1024 && unit < units.length - 1) {
        shown /= 1024;
        unit++;
    }
    return `${shown < 10 && unit > 0 ? shown.toFixed(1) : whole.format(shown)} ${units[unit] ?? ""}`;
}

export const milliseconds = (value: number | null): string =>
    value === null ? "–" : value < 10 ? `${small.format(value)} ms` : `${whole.format(value)} ms`;

export function duration(seconds: number): string {
    if (seconds < 60) {
        return `${Math.round(seconds)} s`;
    }
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) {
        return `${minutes} min`;
    }
    const hours = Math.floor(minutes / 60);
    return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

export const time = (at: string): string => new Date(at).toLocaleTimeString("en-GB");
