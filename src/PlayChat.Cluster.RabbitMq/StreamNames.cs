namespace PlayChat.Cluster.RabbitMq;

/// <summary>Names in the protocol.</summary>
internal static class StreamNames
{
    /// <summary>An argument of a reader, and a header of every message that it gets.</summary>
    public const string Offset = "x-stream-offset";

    /// <summary>The type of a message that proposes the epoch of a stream. Only the one at offset 0 counts. It has the form of a
    /// greeting.</summary>
    public const string EpochType = "epoch";

    public static Dictionary<string, object?> Arguments(RabbitMqBackplaneOptions options) => new(StringComparer.Ordinal)
    {
        ["x-queue-type"] = "stream",
        ["x-max-age"] = FormattableString.Invariant($"{(long)options.Retention.TotalSeconds}s"),
        ["x-max-length-bytes"] = options.MaxStreamBytes,
        ["x-stream-max-segment-size-bytes"] = options.SegmentBytes,
        ["x-initial-cluster-size"] = (long)options.Replicas,
    };
}
