namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Everything about an account.</summary>
internal sealed record AccountExport(
    AccountInfo Account,
    IEnumerable<KeptDeviceInfo> Devices, // the one used last first
    IAsyncEnumerable<MessageInfo> Messages, // its own, by room and sequence
    IAsyncEnumerable<MembershipInfo> Memberships, // of rooms that last, by their ids
    IAsyncEnumerable<ReactionInfo> Reactions, // by room and sequence
    IAsyncEnumerable<ReportInfo> Reports, // those that it has made, by their ids
    IAsyncEnumerable<ConversationInfo> Conversations, // the newest first
    IReadOnlyList<BlockedPlayer> Blocked, // by their ids
    IEnumerable<BanInfo> Bans); // expired ones included
