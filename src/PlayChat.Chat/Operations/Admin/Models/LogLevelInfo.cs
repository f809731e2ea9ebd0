namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A log level.</summary>
internal sealed record LogLevelInfo(
    string Source, // Default, or the beginning of the names of the loggers for which it holds
    string Level); // Verbose, Debug, Information, Warning, Error or Fatal
