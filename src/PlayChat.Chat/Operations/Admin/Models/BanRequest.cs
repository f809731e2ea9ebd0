namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Bans an account or a network.</summary>
internal sealed record BanRequest(
    string? Subject, // NAME or ADDRESS[/PREFIX], as the bans command takes it
    long? ForSeconds, // null for a ban without end
    string? Reason); // told to the banned, at most 200 characters
