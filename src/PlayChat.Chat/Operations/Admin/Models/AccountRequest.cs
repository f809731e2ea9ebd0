namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Makes an account.</summary>
internal sealed record AccountRequest(
    string? Name,
    string? Password);
