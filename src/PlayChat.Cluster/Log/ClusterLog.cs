namespace PlayChat.Cluster.Log;

/// <summary>Log messages of backplanes: event ids 1600–1649.</summary>
internal static partial class ClusterLog
{
    [LoggerMessage(1600, LogLevel.Error, "{Callback} of shard {Shard} threw an exception; reading continues with the next record.")]
    public static partial void HandlerFault(ILogger logger, Exception exception, string callback, int shard);

    [LoggerMessage(
        1601, LogLevel.Warning,
        "The batch at offset {Offset} of shard {Shard} is unreadable ({Status}) and was skipped. A newer server may have written it.")]
    public static partial void UnreadableBatch(ILogger logger, int shard, long offset, BatchStatus status);

    [LoggerMessage(
        1602, LogLevel.Warning,
        "Shard {Shard} misses records after epoch {Epoch}, offset {Offset}: {Reason}. Readers load their state anew.")]
    public static partial void Gap(ILogger logger, int shard, uint epoch, long offset, GapReason reason);

    [LoggerMessage(
        1603, LogLevel.Warning,
        "This node ({NodeId}, incarnation {Incarnation}) was declared dead by the cluster; it publishes no more records.")]
    public static partial void Fenced(ILogger logger, int nodeId, long incarnation);

    [LoggerMessage(1604, LogLevel.Information, "The backplane is {State}.")]
    public static partial void StateChanged(ILogger logger, BackplaneState state);

    [LoggerMessage(1605, LogLevel.Error, "A StateChanged handler of the backplane threw an exception.")]
    public static partial void StateHandlerFault(ILogger logger, Exception exception);

    [LoggerMessage(1606, LogLevel.Information, "The room log is connected to {Location}.")]
    public static partial void Connected(ILogger logger, string location);

    [LoggerMessage(
        1607, LogLevel.Warning, "The room log has lost {Location} ({Reason}). It connects again by itself; records wait meanwhile.")]
    public static partial void Lost(ILogger logger, string location, string reason);

    [LoggerMessage(
        1608, LogLevel.Information,
        "Node id {NodeId} is held by the node at {Endpoint} (incarnation {Incarnation}). Waiting {Seconds:0.0} seconds to see whether that "
            + "node still renews its lease.")]
    public static partial void NodeIdHeld(ILogger logger, int nodeId, string endpoint, long incarnation, double seconds);
}
