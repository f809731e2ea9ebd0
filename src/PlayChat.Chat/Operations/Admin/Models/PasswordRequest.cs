namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Sets the password of an account.</summary>
/// <param name="Password">The new password.</param>
internal sealed record PasswordRequest(
    string? Password);
