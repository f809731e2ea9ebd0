using System.CommandLine;
using PlayChat.Benchmark.Chat;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Servers;
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
            () => new ChatScenario(settings, target.Transport));
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
