using System.CommandLine;
using System.Globalization;
using PlayChat.Benchmark.Chat;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;
using PlayChat.Protocol;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>chat</c>.</summary>
internal sealed class ChatCommand
{
    private const int MaxClients = 1_000_000;
    private const double MaxRate = 10_000;

    private readonly LoadOptions _load = new(warmup: 5, duration: 30);

    private readonly Option<int> _clients = new("--clients") { Description = "Players who log in.", DefaultValueFactory = _ => 500, HelpName = "N" };

    private readonly Option<int> _rooms = new("--rooms")
    {
        Description = "Rooms they are spread over; the first player of each creates it.",
        DefaultValueFactory = _ => 10,
        HelpName = "N",
    };

    private readonly Option<double> _rps = new("--rps")
    {
        Description = "Messages each player sends in a second; may be less than one.",
        DefaultValueFactory = _ => 10,
        HelpName = "N",
    };

    private readonly Option<string> _mix = new("--mix")
    {
        Description = "Sizes of the texts: BYTES:WEIGHT or MIN-MAX:WEIGHT, divided by commas.",
        DefaultValueFactory = _ => PayloadMix.Default,
        HelpName = "MIX",
    };

    private readonly Option<int> _seed = new("--seed")
    {
        Description = "Makes phases, sizes and texts; the same seed makes the same load.",
        DefaultValueFactory = _ => 1,
        HelpName = "N",
    };

    private readonly Option<int> _stalled = new("--stalled-readers", "--silent")
    {
        Description = "Players besides, spread over the same rooms, who say nothing and never read.",
        DefaultValueFactory = _ => 0,
        HelpName = "N",
    };

    private readonly Option<int> _flood = new("--flood")
    {
        Description = "Players besides, all in one more room, whose figures are told apart.",
        DefaultValueFactory = _ => 0,
        HelpName = "N",
    };

    private readonly Option<double> _floodRps = new("--flood-rps")
    {
        Description = "Messages each player of --flood sends in a second.",
        DefaultValueFactory = _ => 100,
        HelpName = "N",
    };

    private readonly FanoutOptions _fanout = new();

    /// <summary>Makes the command.</summary>
    /// <param name="run">Runs what the options describe, and gives the exit code.</param>
    public Command Create(Func<LoadRun, CancellationToken, Task<int>> run)
    {
        var command = new Command("chat", "Players in rooms who talk at a fixed rate: every delivery is checked, and timed from when its message was to be sent.")
        {
            _clients, _rooms, _rps, _mix, _seed, _stalled, _flood, _floodRps,
        };
        _fanout.AddTo(command);
        _load.AddTo(command);
        command.SetAction((result, token) => run(Read(result), token));
        return command;
    }

    private LoadRun Read(ParseResult result)
    {
        LoadTarget target = _load.Read(result);
        var settings = new ChatSettings(
            result.GetValue(_clients), result.GetValue(_rooms), result.GetValue(_rps), PayloadMix.Parse(result.GetValue(_mix)!), result.GetValue(_seed))
        {
            Silent = result.GetValue(_stalled),
            Flood = result.GetValue(_flood),
            FloodMessagesPerSecond = result.GetValue(_floodRps),
            Late = _fanout.Late(result),
            MaxLag = _fanout.MaxLag(result),
        };
        LoadOptions.Require(settings.Clients is >= 1 and <= MaxClients, "--clients", settings.Clients, $"1 to {MaxClients}");
        LoadOptions.Require(
            settings.Rooms >= 1 && settings.Rooms <= settings.Clients, "--rooms", settings.Rooms, $"1 to the number of clients, {settings.Clients}");
        LoadOptions.Require(settings.MessagesPerSecond is > 0 and <= MaxRate, "--rps", settings.MessagesPerSecond, $"more than 0, to {MaxRate}");
        LoadOptions.Require(settings.Silent is >= 0 and <= MaxClients, "--stalled-readers", settings.Silent, $"0 to {MaxClients}");
        LoadOptions.Require(
            settings.Flood is >= 0 and <= ChatLimits.MaxRoomMembers, "--flood", settings.Flood, $"0 to {ChatLimits.MaxRoomMembers}, the most members of a room");
        LoadOptions.Require(
            settings.FloodMessagesPerSecond is > 0 and <= MaxRate, "--flood-rps", settings.FloodMessagesPerSecond, $"more than 0, to {MaxRate}");
        int largestRoom = new ChatRoster(settings.Clients, settings.Rooms).LargestRoom;
        LoadOptions.Require(
            largestRoom <= ChatLimits.MaxRoomMembers,
            "--rooms",
            settings.Rooms,
            $"at least {((settings.Clients - 1) / ChatLimits.MaxRoomMembers) + 1} for so many clients: a room has at most {ChatLimits.MaxRoomMembers} members");
        int silentInARoom = (settings.Silent + settings.Rooms - 1) / settings.Rooms;
        int maxMembers = Math.Max(100, Math.Max(largestRoom + silentInARoom, settings.Flood));
        return new LoadRun(
            target,
            settings.Connections,
            new ServerSettings("chat", target.Port, [("Rooms:MaxMembers", maxMembers.ToString(CultureInfo.InvariantCulture)), .. target.ServerKeys], target.ServerCores),
            () => new ChatScenario(settings, target.Transport));
    }
}
