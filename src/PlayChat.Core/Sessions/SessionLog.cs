namespace PlayChat.Core.Sessions;

/// <summary>Log messages of sessions: event ids 1500–1599.</summary>
internal static partial class SessionLog
{
    [LoggerMessage(
        1500, LogLevel.Warning,
        "The resume store failed or took too long; a player may be unable to resume after a restart of the server.")]
    public static partial void ResumeStoreFault(ILogger logger, Exception exception);
}
