namespace PlayChat.Benchmark.Servers;

/// <summary>A cluster that the benchmark starts.</summary>
/// <param name="Nodes">How many nodes; 0 is one server without a cluster, over the same database.</param>
internal sealed record ClusterSettings(int Nodes, ClusterEngine Engine)
{
    public const int MaxNodes = 16;

    /// <summary>Parses the name of an engine.</summary>
    /// <exception cref="UsageException">There is no such engine.</exception>
    public static ClusterEngine ParseEngine(string name) =>
        Enum.GetNames<ClusterEngine>().FirstOrDefault(known => known.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } known
            ? Enum.Parse<ClusterEngine>(known)
            : throw new UsageException($"--engine is '{name}'; allowed is {string.Join(" or ", Enum.GetNames<ClusterEngine>())}.");

    public bool HasBroker => Nodes > 0 && Engine == ClusterEngine.RabbitMq;

    public override string ToString() => Nodes switch
    {
        0 => "one server without a cluster",
        1 => $"1 node over {Engine}",
        _ => $"{Nodes} nodes over {Engine}",
    };
}

/// <summary>What keeps the log of a cluster that the benchmark starts: the server's option <c>Cluster:Engine</c>.</summary>
internal enum ClusterEngine
{
    Postgres, // a table of the nodes' database
    RabbitMq, // streams of a broker
}
