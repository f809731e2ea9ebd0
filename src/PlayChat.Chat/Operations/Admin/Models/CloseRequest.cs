namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Closes a session.</summary>
/// <param name="Message">A sentence for the player; null for the usual one.</param>
internal sealed record CloseRequest(
    string? Message);
