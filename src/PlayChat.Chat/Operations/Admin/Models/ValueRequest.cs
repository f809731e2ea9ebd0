namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Changes a setting.</summary>
internal sealed record ValueRequest(
    string? Value); // as it would stand in the configuration
