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

    /// <summary>Makes the command.</summary>
    /// <param name="run">Runs what the options describe, and gives the exit code.</param>
    public Command Create(Func<LoadRun, CancellationToken, Task<int>> run)
    {
        var command = new Command("chat", "Players in rooms who talk at a fixed rate: every delivery is checked, and timed from when its message was to be sent.")
        {
            _clients, _rooms, _rps, _mix, _seed,
        };
        _load.AddTo(command);
        command.SetAction((result, token) => run(Read(result), token));
        return command;
    }

    private LoadRun Read(ParseResult result)
    {
        LoadTarget target = _load.Read(result);
        var settings = new ChatSettings(
            result.GetValue(_clients), result.GetValue(_rooms), result.GetValue(_rps), PayloadMix.Parse(result.GetValue(_mix)!), result.GetValue(_seed));
        LoadOptions.Require(settings.Clients is >= 1 and <= MaxClients, "--clients", settings.Clients, $"1 to {MaxClients}");
        LoadOptions.Require(
            settings.Rooms >= 1 && settings.Rooms <= settings.Clients, "--rooms", settings.Rooms, $"1 to the number of clients, {settings.Clients}");
        LoadOptions.Require(settings.MessagesPerSecond is > 0 and <= MaxRate, "--rps", settings.MessagesPerSecond, $"more than 0, to {MaxRate}");
        int largestRoom = new ChatRoster(settings.Clients, settings.Rooms).LargestRoom;
        LoadOptions.Require(
            largestRoom <= ChatLimits.MaxRoomMembers,
            "--rooms",
            settings.Rooms,
            $"at least {((settings.Clients - 1) / ChatLimits.MaxRoomMembers) + 1} for so many clients: a room has at most {ChatLimits.MaxRoomMembers} members");
        return new LoadRun(
            target,
            settings.Clients,
            new ServerSettings("chat", target.Port, [("Rooms:MaxMembers", Math.Max(100, largestRoom).ToString(CultureInfo.InvariantCulture))]),
            () => new ChatScenario(settings));
    }
}
