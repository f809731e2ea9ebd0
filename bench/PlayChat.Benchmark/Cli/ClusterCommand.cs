using System.CommandLine;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.Cluster;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Servers.Cluster;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>cluster</c>.</summary>
internal sealed class ClusterCommand() : ExperimentCommand(
    ClusterExperiment.Name,
    "Experiment: the same chat on one server and on clusters of 1, 2 and 3 nodes on this machine: CPU per delivery, added latency.")
{
    private static readonly ClusterParameters s_full = ClusterParameters.Full;

    private readonly Option<string[]> _engines = new("--engine")
    {
        Description = "What carries the messages of the nodes: Postgres, RabbitMq or both, in turn (Postgres).",
        AllowMultipleArgumentsPerToken = true,
        DefaultValueFactory = _ => [],
        HelpName = "NAME…",
    };

    private readonly Option<int[]> _nodes = Numbers("--nodes", "Numbers of nodes, in turn (1 2 3).", "N…");
    private readonly Option<int?> _clients = new("--clients") { Description = $"Players ({s_full.Clients}).", HelpName = "N" };
    private readonly Option<int?> _rooms = new("--rooms")
    {
        Description = $"Rooms; the players of each are spread over the nodes ({s_full.Rooms}).",
        HelpName = "N",
    };
    private readonly Option<double?> _rps = new("--rps")
    {
        Description = $"Messages per second of each player ({s_full.MessagesPerSecond}).",
        HelpName = "N",
    };
    private readonly Option<double?> _warmup = Seconds("--warmup", "Seconds before the measuring.");
    private readonly Option<double?> _duration = Seconds("--duration", "Seconds of it.");

    /// <inheritdoc/>
    protected override IReadOnlyList<Option> Options => [_engines, _nodes, _clients, _rooms, _rps, _warmup, _duration];

    /// <inheritdoc/>
    protected override Experiment Read(ParseResult result, bool quick, ExperimentSettings settings)
    {
        ClusterParameters preset = quick ? ClusterParameters.Quick : s_full;
        int[] nodes = result.GetValue(_nodes)!;
        foreach (int count in nodes)
        {
            LoadOptions.Require(count is >= 1 and <= ClusterSettings.MaxNodes, "--nodes", count, $"1 to {ClusterSettings.MaxNodes}");
        }

        ClusterEngine[] engines = result.GetValue(_engines)!
            .SelectMany(static name => name.Split(','))
            .Select(ClusterOptions.Engine)
            .DefaultIfEmpty(ClusterEngine.Postgres)
            .Distinct()
            .ToArray();
        ClusterParameters parameters = preset with
        {
            Nodes = nodes.Length == 0 ? preset.Nodes : [.. nodes.Distinct()],
            Clients = result.GetValue(_clients) ?? preset.Clients,
            Rooms = result.GetValue(_rooms) ?? preset.Rooms,
            MessagesPerSecond = result.GetValue(_rps) ?? preset.MessagesPerSecond,
            Warmup = result.GetValue(_warmup) ?? preset.Warmup,
            Duration = result.GetValue(_duration) ?? preset.Duration,
        };
        string? missing = engines.Select(LocalTool.WhyNot).FirstOrDefault(static why => why is not null);
        return missing is null
            ? ClusterExperiment.Create(parameters, engines)
            : throw new UsageException($"{ClusterExperiment.Name} cannot run on this machine: {missing}");
    }
}
