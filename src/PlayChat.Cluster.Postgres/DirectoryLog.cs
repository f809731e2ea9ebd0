namespace PlayChat.Cluster.Postgres;

/// <summary>Log messages of the directory: event ids 1650–1659.</summary>
internal static partial class DirectoryLog
{
    [LoggerMessage(
        1650, LogLevel.Warning,
        "The clock of the cluster's database went back by {Seconds:0.0} seconds or more. Leases begin anew, so a node that has ended is "
            + "noticed up to one lease later. Synchronize the clocks of the database servers.")]
    public static partial void ClockWentBack(ILogger logger, double seconds);
}
