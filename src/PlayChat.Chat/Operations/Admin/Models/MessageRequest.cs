namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Says something in a room.</summary>
/// <param name="Player">The name of the account in whose name it is said; one without a password is made for an unknown name.</param>
/// <param name="Text">The text.</param>
/// <param name="MessageId">Your number for the text: the room does not say it again while it remembers the number. 0 for none.</param>
internal sealed record MessageRequest(
    string? Player,
    string? Text,
    ulong MessageId = 0);
