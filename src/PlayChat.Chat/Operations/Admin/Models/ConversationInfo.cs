namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A conversation of an account with another one.</summary>
/// <param name="WithId">The other account's id.</param>
/// <param name="WithName">The other account's name.</param>
/// <param name="ReadNumber">The newest message that the account has read or written.</param>
/// <param name="LastNumber">The newest message.</param>
internal sealed record ConversationInfo(long WithId, string WithName, long ReadNumber, long LastNumber);
