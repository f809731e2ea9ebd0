namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Changes a log level.</summary>
internal sealed record LogLevelRequest(
    string? Source, // null for Default, or a source that GET lists
    string? Level);
