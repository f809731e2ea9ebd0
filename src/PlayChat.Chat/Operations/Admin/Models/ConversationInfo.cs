namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A conversation of an account with another one: the newest message that the account has read or written, and the newest
/// of all.</summary>
internal sealed record ConversationInfo(long WithId, string WithName, long ReadNumber, long LastNumber);
