namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Everything about an account.</summary>
/// <param name="Account">The account.</param>
/// <param name="Messages">Its messages in all rooms, by room and sequence.</param>
internal sealed record AccountExport(AccountInfo Account, IAsyncEnumerable<MessageInfo> Messages);
