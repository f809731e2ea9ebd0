namespace PlayChat.Cluster.Postgres;

/// <summary>One reader of one shard. The read loop of the backplane drives it.</summary>
internal sealed class PostgresSubscription : RemoteSubscription
{
    /// <summary>The number of the last batch that was read. For the read loop alone.</summary>
    public long After { get; set; }
}
