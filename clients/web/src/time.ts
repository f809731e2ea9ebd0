const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", year: "numeric" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

const dayMs = 86_400_000;

export function clockTime(unixMs: number): string {
    return clock.format(unixMs);
}

export function fullTime(unixMs: number): string {
    return full.format(unixMs);
}

/** A number that two moments share exactly when they lie on the same day here. */
export function dayNumber(unixMs: number): number {
    const date = new Date(unixMs);
    return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs);
}

export function dayName(unixMs: number, now = Date.now()): string {
    const ago = dayNumber(now) - dayNumber(unixMs);
    if (ago === 0 || ago === 1) {
        const name = relative.format(-ago, "day");
        return name.charAt(0).toLocaleUpperCase() + name.slice(1);
    }
    return new Date(unixMs).getFullYear() === new Date(now).getFullYear() ? day.format(unixMs) : dayOfYear.format(unixMs);
}

export function duration(ms: number): string {
    const seconds = Math.max(1, Math.ceil(ms / 1000));
    if (seconds < 90) {
        return seconds === 1 ? "1 second" : `${seconds} seconds`;
    }
    const minutes = Math.ceil(seconds / 60);
    return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
