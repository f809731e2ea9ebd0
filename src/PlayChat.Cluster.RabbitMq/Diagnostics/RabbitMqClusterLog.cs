using Microsoft.Extensions.Logging;

namespace PlayChat.Cluster.RabbitMq.Diagnostics;

/// <summary>Log messages of the engine: event ids 1710–1719.</summary>
internal static partial class RabbitMqClusterLog
{
    [LoggerMessage(1710, LogLevel.Information, "The room log is connected to RabbitMQ at {Location}.", EventName = nameof(Connected))]
    public static partial void Connected(ILogger logger, string location);

    [LoggerMessage(
        1711,
        LogLevel.Warning,
        "The room log has lost RabbitMQ at {Location} ({Reason}). It connects again by itself; records wait meanwhile.",
        EventName = nameof(Lost))]
    public static partial void Lost(ILogger logger, string location, string reason);
}
