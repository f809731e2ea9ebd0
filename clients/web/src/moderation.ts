import { type Member, type Moderation, ModerationAction, RoomRole } from "@playchat/client";
import { findAtStart } from "./commands.js";

const actions: Readonly<Record<string, ModerationAction>> = {
    "/mute": ModerationAction.MUTE,
    "/unmute": ModerationAction.UNMUTE,
    "/kick": ModerationAction.KICK,
    "/ban": ModerationAction.BAN,
    "/unban": ModerationAction.UNBAN,
    "/invite": ModerationAction.INVITE,
    "/role": ModerationAction.SET_ROLE,
    "/topic": ModerationAction.SET_TOPIC,
    "/slow": ModerationAction.SET_SLOW_MODE,
    "/capacity": ModerationAction.SET_CAPACITY,
    "/lock": ModerationAction.LOCK,
    "/unlock": ModerationAction.UNLOCK,
};

const roles: Readonly<Record<string, RoomRole>> = {
    owner: RoomRole.OWNER,
    moderator: RoomRole.MODERATOR,
    member: RoomRole.MEMBER,
};

const maxSlowSeconds = 3600;

const usages: Readonly<Record<string, string>> = {
    "/mute": "/mute NAME [MINUTES] [REASON]",
    "/ban": "/ban NAME [MINUTES] [REASON]",
    "/role": "/role NAME owner, moderator or member",
};

export function isModeration(command: string): boolean {
    return actions[command] !== undefined;
}

/**
 * Reads a command that moderates a room.
 * @param members Those whose names may have spaces; of another player that is muted or banned, the first word is the name.
 * @returns What to ask the server for, or a sentence that says what is wrong.
 */
export function readModeration(command: string, argument: string, members: readonly Member[]): Moderation | string {
    const action = actions[command] ?? ModerationAction.NONE;
    if (action === ModerationAction.SET_TOPIC) {
        return { action, topic: argument };
    }
    if (action === ModerationAction.SET_SLOW_MODE) {
        const seconds = /^\d{1,4}$/.test(argument) ? Number(argument) : maxSlowSeconds + 1;
        return seconds > maxSlowSeconds ? "Type /slow SECONDS, 0 to 3600. 0 ends slow mode." : { action, seconds };
    }
    if (action === ModerationAction.LOCK || action === ModerationAction.UNLOCK) {
        return { action };
    }
    if (action === ModerationAction.SET_CAPACITY) {
        return /^\d{1,9}$/.test(argument) ? { action, capacity: Number(argument) }
            : "Type /capacity NUMBER, how many players the room takes at once. 0 means as many as the server allows.";
    }
    const isAboutOther = action === ModerationAction.UNBAN || action === ModerationAction.INVITE; // such a command has no reason
    const playerName = isAboutOther ? argument : findAtStart(members, argument)?.name ?? argument.split(/\s/u, 1)[0] ?? "";
    const rest = argument.slice(playerName.length).trim();
    if (playerName === "") {
        return `Type ${usages[command] ?? `${command} NAME${isAboutOther ? "" : " [REASON]"}`}.`;
    }
    if (action === ModerationAction.SET_ROLE) {
        const role = roles[rest.toLowerCase()];
        return role === undefined ? `Type ${usages[command]}.` : { action, playerName, role };
    }
    if (action !== ModerationAction.MUTE && action !== ModerationAction.BAN) {
        return { action, playerName, reason: rest };
    }
    const [, minutes, reason = ""] = /^(\d{1,7})(?:\s+(.*))?$/su.exec(rest) ?? [undefined, undefined, rest];
    return { action, playerName, seconds: Number(minutes ?? 0) * 60, reason };
}

/** What the reader's role allows it to do to another member: what that is called, and what to ask the server for. */
export function moderationsOf(own: RoomRole, { playerId, role }: Member, isMuted: boolean | undefined): readonly (readonly [string, Moderation])[] {
    if (own < RoomRole.MODERATOR || role >= own) {
        return [];
    }
    const mute = (seconds: number): Moderation => ({ action: ModerationAction.MUTE, playerId, seconds });
    const give = (given: RoomRole): Moderation => ({ action: ModerationAction.SET_ROLE, playerId, role: given });
    return [
        ...(isMuted === true ? [] : [["Mute for 10 minutes", mute(600)], ["Mute for an hour", mute(3600)]] as const),
        ...(isMuted === false ? [] : [["Unmute", { action: ModerationAction.UNMUTE, playerId }]] as const),
        ["Kick", { action: ModerationAction.KICK, playerId }],
        ["Ban", { action: ModerationAction.BAN, playerId }],
        ...(own < RoomRole.OWNER ? []
            : role === RoomRole.MEMBER ? [["Make moderator", give(RoomRole.MODERATOR)]] as const : [["Make member", give(RoomRole.MEMBER)]] as const),
    ];
}

/** What a member's role is called, for those that have more than others. */
export function roleName(role: RoomRole): string {
    return role === RoomRole.OWNER ? "owner" : role === RoomRole.MODERATOR ? "moderator" : "";
}
