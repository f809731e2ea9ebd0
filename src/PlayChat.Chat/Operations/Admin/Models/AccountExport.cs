namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Everything about an account.</summary>
/// <param name="Account">The account.</param>
/// <param name="Devices">The devices that stay logged in, the one used last first.</param>
/// <param name="Messages">Its messages in all rooms, by room and sequence.</param>
/// <param name="Memberships">The rooms that last where it is a member, muted or banned, by their ids.</param>
/// <param name="Reactions">What it has reacted with in all rooms, by room and sequence.</param>
/// <param name="Reports">The reports that it has made, by their ids.</param>
/// <param name="Conversations">Its conversations with other accounts, the newest first.</param>
/// <param name="Blocked">The players that it has blocked, by their ids.</param>
/// <param name="Bans">The bans of the account, expired ones included.</param>
internal sealed record AccountExport(
    AccountInfo Account,
    IEnumerable<KeptDeviceInfo> Devices,
    IAsyncEnumerable<MessageInfo> Messages,
    IAsyncEnumerable<MembershipInfo> Memberships,
    IAsyncEnumerable<ReactionInfo> Reactions,
    IAsyncEnumerable<ReportInfo> Reports,
    IAsyncEnumerable<ConversationInfo> Conversations,
    IReadOnlyList<BlockedPlayer> Blocked,
    IEnumerable<BanInfo> Bans);
