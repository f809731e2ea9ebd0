namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Closes a session.</summary>
internal sealed record CloseRequest(
    string? Message); // for the player; null for the usual one
