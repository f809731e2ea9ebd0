using System.CommandLine;
using PlayChat.Benchmark.Chat;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Servers;
using PlayChat.Benchmark.Servers.Cluster;
using PlayChat.Protocol;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>chat</c>.</summary>
internal sealed class ChatCommand
{
    private readonly LoadOptions _load = new(warmup: 5, duration: 30);
    private readonly ChatCrowdOptions _crowd = new();
    private readonly FanoutOptions _fanout = new();

    private readonly Option<int> _flood = new("--flood")
    {
        Description = "Extra players in one extra room, with figures of their own.",
        DefaultValueFactory = _ => 0,
        HelpName = "N",
    };

    private readonly Option<double> _floodRps = new("--flood-rps")
    {
        Description = "Messages per second of each player of --flood.",
        DefaultValueFactory = _ => 100,
        HelpName = "N",
    };

    private readonly Option<string?> _nodes = new("--nodes")
    {
        Description = "Use the running nodes of a cluster instead of starting a server. The members of each room are spread over them.",
        HelpName = "HOST:PORT,HOST:PORT",
    };

    private readonly Option<int?> _cluster = new("--cluster")
    {
        Description = "Start so many nodes as a cluster on this machine, with a PostgreSQL of their own, and spread the members of each "
            + "room over them. 0 starts one server without a cluster over the same PostgreSQL, to compare with.",
        HelpName = "N",
    };

    private readonly Option<string?> _engine = new("--engine")
    {
        Description = "With --cluster: what carries the messages of the nodes, Postgres or RabbitMq (Postgres).",
        HelpName = "NAME",
    };

    /// <summary>Makes the command.</summary>
    /// <param name="run">Runs what the options describe, and gives the exit code.</param>
    public Command Create(Func<LoadRun, CancellationToken, Task<int>> run)
    {
        var command = new Command(
            "chat", "Players in rooms that talk at a fixed rate. Every delivery is checked, and timed from its message's planned sending.");
        _crowd.AddTo(command);
        command.Options.Add(_flood);
        command.Options.Add(_floodRps);
        command.Options.Add(_nodes);
        command.Options.Add(_cluster);
        command.Options.Add(_engine);
        _fanout.AddTo(command);
        _load.AddTo(command);
        command.SetAction((result, token) => run(Read(result), token));
        return command;
    }

    private LoadRun Read(ParseResult result)
    {
        LoadTarget target = _load.Read(result);
        ServerAddress[] nodes = ReadNodes(result, target);
        ChatSettings settings = _crowd.Read(result) with
        {
            Flood = result.GetValue(_flood),
            FloodMessagesPerSecond = result.GetValue(_floodRps),
            Late = _fanout.Late(result),
            MaxLag = _fanout.MaxLag(result),
            Nodes = nodes,
        };
        LoadOptions.Require(
            settings.Flood is >= 0 and <= ChatLimits.MaxRoomMembers,
            "--flood",
            settings.Flood,
            $"0 to {ChatLimits.MaxRoomMembers}, the most members of a room");
        LoadOptions.Require(
            settings.FloodMessagesPerSecond is > 0 and <= ChatCrowdOptions.MaxRate,
            "--flood-rps",
            settings.FloodMessagesPerSecond,
            $"more than 0, to {ChatCrowdOptions.MaxRate}");
        return new LoadRun(
            nodes.Length > 0 ? target with { Address = nodes[0] } : target,
            settings.Connections,
            ChatCrowdOptions.Server(settings, target),
            started => new ChatScenario(started.Count == 0 ? settings : settings with { Nodes = started }, target.Transport))
        {
            Cluster = ReadCluster(result, target),
        };
    }

    private ClusterSettings? ReadCluster(ParseResult result, LoadTarget target)
    {
        string? engine = result.GetValue(_engine);
        if (result.GetValue(_cluster) is not { } nodes)
        {
            return engine is null
                ? null
                : throw new UsageException("--engine is for nodes that the benchmark starts: use it with --cluster N.");
        }

        LoadOptions.Require(nodes is >= 0 and <= ClusterSettings.MaxNodes, _cluster.Name, nodes, $"0 to {ClusterSettings.MaxNodes}");
        return target is { Address: null, Baseline: null, Port: 0 } && result.GetValue(_nodes) is null
            ? new ClusterSettings(nodes, engine is null ? ClusterEngine.Postgres : ClusterOptions.Engine(engine))
            : throw new UsageException(
                "--cluster starts servers on free ports, so it goes with none of --connect, --nodes, --baseline and --port.");
    }

    private ServerAddress[] ReadNodes(ParseResult result, LoadTarget target)
    {
        if (result.GetValue(_nodes) is not { } nodes)
        {
            return [];
        }

        return target is { Address: null, Baseline: null, ServerCores: null, ServerKeys.Count: 0 }
            ? [.. nodes.Split(',').Select(node => ServerAddress.Parse(node, _nodes.Name))]
            : throw new UsageException(
                "--nodes uses running servers, so it goes with none of --connect, --baseline, --server and --server-cores.");
    }
}
