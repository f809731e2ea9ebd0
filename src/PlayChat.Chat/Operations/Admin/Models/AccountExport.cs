namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Everything about an account.</summary>
/// <param name="Account">The account.</param>
/// <param name="Devices">The devices that stay logged in, the one used last first.</param>
/// <param name="Messages">Its messages in all rooms, by room and sequence.</param>
/// <param name="Memberships">The rooms that last of which it is a member, by their ids; 1,000 at most.</param>
/// <param name="Reactions">What it has reacted with in all rooms, by room and sequence.</param>
/// <param name="Reports">The reports that it has made, by their ids.</param>
internal sealed record AccountExport(
    AccountInfo Account,
    IEnumerable<KeptDeviceInfo> Devices,
    IAsyncEnumerable<MessageInfo> Messages,
    IReadOnlyList<MembershipInfo> Memberships,
    IAsyncEnumerable<ReactionInfo> Reactions,
    IAsyncEnumerable<ReportInfo> Reports);
