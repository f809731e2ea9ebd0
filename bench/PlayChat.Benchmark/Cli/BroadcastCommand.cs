using System.CommandLine;
using System.Globalization;
using PlayChat.Benchmark.Classroom;
using PlayChat.Benchmark.Fanout;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>broadcast</c>.</summary>
internal sealed class BroadcastCommand
{
    private readonly LoadOptions _load = new(warmup: 5, duration: 30);
    private readonly FanoutOptions _fanout = new();
    private readonly Option<int> _clients = new("--clients")
    {
        Description = "Connections.",
        DefaultValueFactory = _ => 500,
        HelpName = "N",
    };

    private readonly Option<int> _rooms = new("--rooms")
    {
        Description = "Rooms. The server assigns connections to them in the order of acceptance.",
        DefaultValueFactory = _ => 10,
        HelpName = "N",
    };

    private readonly Option<double> _rps = new("--rps")
    {
        Description = "Messages per second of each connection.",
        DefaultValueFactory = _ => 10,
        HelpName = "N",
    };

    private readonly Option<string> _mix = new("--mix")
    {
        Description = "Sizes of the payloads: BYTES:WEIGHT or MIN-MAX:WEIGHT, separated by commas.",
        DefaultValueFactory = _ => PayloadMix.Default,
        HelpName = "MIX",
    };

    private readonly Option<int> _seed = new("--seed")
    {
        Description = "Seed of phases, sizes and payloads.",
        DefaultValueFactory = _ => 1,
        HelpName = "N",
    };

    /// <summary>Makes the command.</summary>
    /// <param name="run">Runs what the options describe, and gives the exit code.</param>
    public Command Create(Func<LoadRun, CancellationToken, Task<int>> run)
    {
        var command = new Command(
            "broadcast", "Fan-out without the chat protocol: length(2) + sender(2) + payload. Servers without chat are compared by it.")
        {
            _clients, _rooms, _rps, _mix, _seed,
        };
        _fanout.AddTo(command);
        _load.AddTo(command);
        command.SetAction((result, token) => run(Read(result), token));
        return command;
    }

    private LoadRun Read(ParseResult result)
    {
        LoadTarget target = _load.Read(result);
        var settings = new ClassroomSettings(
            result.GetValue(_clients),
            result.GetValue(_rooms),
            result.GetValue(_rps),
            PayloadMix.Parse(result.GetValue(_mix)!),
            result.GetValue(_seed))
        {
            Late = _fanout.Late(result),
            MaxLag = _fanout.MaxLag(result),
        };
        LoadOptions.Require(
            settings.Clients is >= 1 and <= ClassroomSettings.MaxClients,
            "--clients",
            settings.Clients,
            $"1 to {ClassroomSettings.MaxClients}");
        LoadOptions.Require(
            settings.Rooms >= 1 && settings.Rooms <= settings.Clients,
            "--rooms",
            settings.Rooms,
            $"1 to the number of clients, {settings.Clients}");
        LoadOptions.Require(settings.MessagesPerSecond is > 0 and <= 10_000, "--rps", settings.MessagesPerSecond, "more than 0, to 10000");
        string rooms = settings.Rooms.ToString(CultureInfo.InvariantCulture);
        return new LoadRun(
            target,
            settings.Connections,
            new ServerSettings("broadcast", target.Port, [(ServerProcess.RoomsKey, rooms), .. target.ServerKeys], target.ServerCores),
            _ => new ClassroomScenario("broadcast", settings, LoadClients.CreateNetwork(target, settings.Connections)));
    }
}
