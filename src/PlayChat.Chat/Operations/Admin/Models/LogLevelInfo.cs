namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A log level.</summary>
/// <param name="Source">Default, or the beginning of the names of the loggers for which it holds.</param>
/// <param name="Level">Verbose, Debug, Information, Warning, Error or Fatal.</param>
internal sealed record LogLevelInfo(
    string Source,
    string Level);
