namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Bans an account or a network.</summary>
/// <param name="Subject">NAME or ADDRESS[/PREFIX], as the bans command takes it.</param>
/// <param name="ForSeconds">How long; null for a ban without end.</param>
/// <param name="Reason">Told to the banned, at most 200 characters.</param>
internal sealed record BanRequest(
    string? Subject,
    long? ForSeconds,
    string? Reason);
