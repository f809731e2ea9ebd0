using System.CommandLine;
using System.Globalization;
using PlayChat.Benchmark.Chat;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Fanout;
using PlayChat.Benchmark.Servers;
using PlayChat.Protocol;

namespace PlayChat.Benchmark.Cli;

/// <summary>The options of a crowd of players: how many, in how many rooms, and what they send.</summary>
internal sealed class ChatCrowdOptions
{
    /// <summary>The most clients.</summary>
    public const int MaxClients = 1_000_000;

    /// <summary>The most messages a second of each.</summary>
    public const double MaxRate = 10_000;

    private readonly Option<int> _clients = new("--clients")
    {
        Description = "Players that log in.",
        DefaultValueFactory = _ => 500,
        HelpName = "N",
    };

    private readonly Option<int> _rooms = new("--rooms")
    {
        Description = "Rooms that the players are spread over. The first player of a room creates it.",
        DefaultValueFactory = _ => 10,
        HelpName = "N",
    };

    private readonly Option<double> _rps = new("--rps")
    {
        Description = "Messages per second of each player; may be less than one.",
        DefaultValueFactory = _ => 10,
        HelpName = "N",
    };

    private readonly Option<string> _mix = new("--mix")
    {
        Description = "Sizes of the texts: BYTES:WEIGHT or MIN-MAX:WEIGHT, separated by commas.",
        DefaultValueFactory = _ => PayloadMix.Default,
        HelpName = "MIX",
    };

    private readonly Option<int> _seed = new("--seed")
    {
        Description = "Seed of phases, sizes and texts. The same seed makes the same load.",
        DefaultValueFactory = _ => 1,
        HelpName = "N",
    };

    private readonly Option<int> _stalled = new("--stalled-readers", "--silent")
    {
        Description = "Extra players in the same rooms that send nothing and never read.",
        DefaultValueFactory = _ => 0,
        HelpName = "K",
    };

    /// <summary>Gives them to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[_clients, _rooms, _rps, _mix, _seed, _stalled])
        {
            command.Options.Add(option);
        }
    }

    /// <summary>Reads and checks them.</summary>
    /// <exception cref="UsageException">An option is invalid.</exception>
    public ChatSettings Read(ParseResult result)
    {
        var settings = new ChatSettings(
            result.GetValue(_clients),
            result.GetValue(_rooms),
            result.GetValue(_rps),
            PayloadMix.Parse(result.GetValue(_mix)!),
            result.GetValue(_seed))
        {
            Silent = result.GetValue(_stalled),
        };
        LoadOptions.Require(settings.Clients is >= 1 and <= MaxClients, "--clients", settings.Clients, $"1 to {MaxClients}");
        LoadOptions.Require(
            settings.Rooms >= 1 && settings.Rooms <= settings.Clients,
            "--rooms",
            settings.Rooms,
            $"1 to the number of clients, {settings.Clients}");
        LoadOptions.Require(
            settings.MessagesPerSecond is > 0 and <= MaxRate, "--rps", settings.MessagesPerSecond, $"more than 0, to {MaxRate}");
        LoadOptions.Require(settings.Silent is >= 0 and <= MaxClients, "--stalled-readers", settings.Silent, $"0 to {MaxClients}");
        LoadOptions.Require(
            LargestRoom(settings) <= ChatLimits.MaxRoomMembers,
            "--rooms",
            settings.Rooms,
            $"at least {((settings.Clients - 1) / ChatLimits.MaxRoomMembers) + 1} for so many clients: "
            + $"a room has at most {ChatLimits.MaxRoomMembers} members");
        return settings;
    }

    /// <summary>The server that takes this crowd.</summary>
    public static ServerSettings Server(ChatSettings settings, LoadTarget target) => new(
        "chat",
        target.Port,
        [("PlayChat:Rooms:MaxMembers", MaxMembers(settings).ToString(CultureInfo.InvariantCulture)), .. target.ServerKeys],
        target.ServerCores);

    private static int MaxMembers(ChatSettings settings) =>
        Math.Max(100, Math.Max(LargestRoom(settings) + ((settings.Silent + settings.Rooms - 1) / settings.Rooms), settings.Flood));

    private static int LargestRoom(ChatSettings settings) => new ChatRoster(settings.Clients, settings.Rooms).LargestRoom;
}
