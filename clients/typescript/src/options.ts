import { browserNetwork } from "@playchat/core";
import { type LinkOptions, type LinkSettings, linkSettings } from "@playchat/core/parts";

/** Settings of `connect`. Times are in milliseconds. */
export interface ConnectOptions extends LinkOptions {
    /** As `requestTimeoutMs`, for the login, which waits for the passwords of earlier logins. Default 120,000. */
    loginTimeoutMs?: number;

    /** Program and version, for the server's log: at most 64 characters. */
    clientVersion?: string;

    /** Gives up connecting. It has no effect on the client after that. */
    signal?: AbortSignal;
}

export type Settings = LinkSettings & Required<Pick<ConnectOptions, "loginTimeoutMs" | "clientVersion">>;

/** Fills in the defaults. Numbers that are not allowed throw here, so that a mistake shows at the first call. */
export function settingsOf(options: Omit<ConnectOptions, "signal">): Settings {
    const defaults = { loginTimeoutMs: 120_000, clientVersion: "playchat-js/0.1.0" };
    const settings = linkSettings({ ...defaults, ...options }, browserNetwork, { loginTimeoutMs: 1 });
    if ([...settings.clientVersion].length > 64) {
        throw new RangeError("clientVersion has more than 64 characters.");
    }
    return settings;
}
