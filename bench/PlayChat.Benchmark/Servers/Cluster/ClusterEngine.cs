namespace PlayChat.Benchmark.Servers.Cluster;

/// <summary>What keeps the log of a cluster that the benchmark starts: the server's option <c>Cluster:Engine</c>.</summary>
internal enum ClusterEngine
{
    /// <summary>A table of the nodes' database.</summary>
    Postgres,

    /// <summary>Streams of a broker.</summary>
    RabbitMq,
}
