namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Changes a log level.</summary>
/// <param name="Source">Default when null, or a source that GET lists.</param>
/// <param name="Level">The new level.</param>
internal sealed record LogLevelRequest(
    string? Source,
    string? Level);
