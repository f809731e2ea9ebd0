namespace PlayChat.Benchmark.Servers.Cluster;

/// <summary>A cluster that the benchmark starts.</summary>
/// <param name="Nodes">How many nodes; 0 is one server without a cluster, over the same database.</param>
/// <param name="Engine">What keeps the log.</param>
internal sealed record ClusterSettings(int Nodes, ClusterEngine Engine)
{
    /// <summary>The most nodes.</summary>
    public const int MaxNodes = 16;

    /// <summary>Whether the run has a broker.</summary>
    public bool HasBroker => Nodes > 0 && Engine == ClusterEngine.RabbitMq;

    /// <inheritdoc/>
    public override string ToString() => Nodes switch
    {
        0 => "one server without a cluster",
        1 => $"1 node over {Engine}",
        _ => $"{Nodes} nodes over {Engine}",
    };
}
