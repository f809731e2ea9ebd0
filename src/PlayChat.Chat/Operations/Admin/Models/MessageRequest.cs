namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Says something in a room.</summary>
internal sealed record MessageRequest(
    string? Player, // the name of the account in whose name it is said; one without a password is made for an unknown name
    string? Text,
    ulong MessageId = 0); // of the sender: the room does not say it again while it remembers the number. 0 for none
