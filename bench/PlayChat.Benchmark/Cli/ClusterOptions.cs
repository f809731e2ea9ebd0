using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Servers.Cluster;

namespace PlayChat.Benchmark.Cli;

/// <summary>What the commands with a cluster share.</summary>
internal static class ClusterOptions
{
    /// <summary>Parses the name of an engine.</summary>
    /// <exception cref="UsageException">There is no such engine.</exception>
    public static ClusterEngine Engine(string name) =>
        Enum.GetNames<ClusterEngine>().FirstOrDefault(known => known.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } known
            ? Enum.Parse<ClusterEngine>(known)
            : throw new UsageException($"--engine is '{name}'; allowed is {string.Join(" or ", Enum.GetNames<ClusterEngine>())}.");
}
