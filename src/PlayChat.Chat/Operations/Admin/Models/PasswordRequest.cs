namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Sets the password of an account.</summary>
internal sealed record PasswordRequest(
    string? Password);
