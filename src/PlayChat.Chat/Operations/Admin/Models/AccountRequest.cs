namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Makes an account.</summary>
/// <param name="Name">The player's name.</param>
/// <param name="Password">The password.</param>
internal sealed record AccountRequest(
    string? Name,
    string? Password);
