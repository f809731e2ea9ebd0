using Microsoft.Extensions.Logging;

namespace PlayChat.Cluster.Postgres.Diagnostics;

/// <summary>Log messages of the engine: event ids 1700–1709.</summary>
internal static partial class PostgresClusterLog
{
    [LoggerMessage(1700, LogLevel.Information, "The room log is connected to {Location}.", EventName = nameof(Connected))]
    public static partial void Connected(ILogger logger, string location);

    [LoggerMessage(
        1701,
        LogLevel.Warning,
        "The room log has lost {Location} ({Reason}). It connects again by itself; records wait meanwhile.",
        EventName = nameof(Lost))]
    public static partial void Lost(ILogger logger, string location, string reason);
}
