namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Changes a setting.</summary>
/// <param name="Value">The new value, as it would stand in the configuration.</param>
internal sealed record ValueRequest(
    string? Value);
