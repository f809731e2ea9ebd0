using System.Diagnostics;
using Microsoft.Data.Sqlite;
using PlayChat.Core.Hosting;
using PlayChat.Protocol;
using PlayChat.Simulation.Cluster;

namespace PlayChat.Simulation.Chat;

/// <summary>The chat server and players with the real client, from the start to the end of all; the seed decides everything.</summary>
internal sealed class ChatWorld : SimulatedWorld
{
    internal const int Port = 7777;

    // What the rules do not yet account for: the chat says that it may lose what a log drops.
    private const NodeFaults NotYet = NodeFaults.Trims | NodeFaults.Replacements | NodeFaults.RoomEnds;

    private const string StorePath = "Storage:Path";

    private static readonly TimeSpan s_startTime = TimeSpan.FromMinutes(1); // of real time: far more than a start takes

    private readonly Stopwatch _sinceBegin = Stopwatch.StartNew();

    private readonly List<ChatUser> _users = [];
    private readonly bool _roomsLast;
    private readonly string _folder = Directory.CreateTempSubdirectory("playchat-world-").FullName;
    private readonly List<ChatNode> _starts = []; // of the nodes of a cluster
    private readonly Fleet? _fleet;
    private ChatServer? _alone; // without a cluster
    private Task? _stop;
    private Dictionary<string, string?> _settings = [];
    private bool _isStarted;

    internal ChatWorld(Plan plan, Variant variant, bool keepsLines, TextWriter? output = null)
        : base(plan, variant, keepsLines, output)
    {
        History = new ChatHistory(this);
        Network = CreateNetwork();
        _roomsLast = Dice.Chance(0.3);
        ForgetsSoon = Dice.Chance(0.3);
        if (plan.Cluster is { } cluster)
        {
            _fleet = new Fleet(this, cluster with { Faults = cluster.Faults & ~NotYet }, Dice, Ready, Make);
        }

        Variants.Apply(variant, Clock, Network, Ready, Dice.Split());
    }

    /// <summary>The network of the server, without a cluster.</summary>
    internal SimulatedNetwork Network { get; }

    internal ChatHistory History { get; }

    internal override int Clients => _users.Count;

    /// <summary>The ids of the rooms that the clients know of.</summary>
    internal List<long> Rooms { get; } = [];

    /// <summary>Whether rooms remember so little that they may have forgotten what a client missed while it was on its way back.</summary>
    internal bool ForgetsSoon { get; }

    private protected override TimeSpan PhaseTime => TimeSpan.FromSeconds(240);

    private IEnumerable<PlayChatServer> Servers =>
        _fleet is null ? [_alone!.Server] : _fleet.Living.Select(static node => ((ChatNode)node).Server);

    /// <summary>Adds a text to the history and to its hash.</summary>
    internal void Tell(string line) => Trace.AddLine(line);

    /// <summary>Where a client connects to, as if by a load balancer; <see langword="null"/> where nobody listens.</summary>
    internal SimulatedNetwork? PickNetwork(Dice dice) => _fleet is null ? Network
        : _fleet.Nodes[dice.Next(_fleet.Nodes.Count)]?.Machine is { Process.IsDead: false } machine ? machine.Network
        : null;

    /// <summary>The client of another player that is logged in.</summary>
    internal ChatClient? Other(ChatUser user, Dice dice)
    {
        ChatUser other = _users[dice.Next(_users.Count)];
        return other == user ? null : other.Client;
    }

    private protected override void OnEnded()
    {
        if (Judge.Finding is null)
        {
            _alone?.Dispose();
            _starts.Where(static node => node.HasStopped).ToList().ForEach(static node => node.Dispose());
        }

        if (_fleet is not null)
        {
            SqliteConnection.ClearAllPools(); // of processes that were killed
        }

        Directory.Delete(_folder, recursive: true);
        Count("partial operations", Network.PartCount);
        Count("stalls", Network.StallCount);
    }

    private protected override void Begin()
    {
        SharedRandom.Reset(Dice);
        SetFaults(Network);
        _ = StartAsync();
    }

    private async Task StartAsync()
    {
        try
        {
            DrawSettings();
            if (_fleet is null)
            {
                _settings["PlayChat:Endpoints:0:Address"] = $"127.0.0.1:{Port}";
                _alone = new ChatServer(this, "the server", Network, Clock, _settings);
                await _alone.StartAsync();
            }
            else
            {
                _fleet.Start();
                _fleet.Strike();
                _fleet.StepClock();
            }
        }
        catch (Exception e)
        {
            Judge.Require(false, "no fault", e.ToString());
            return;
        }

        for (int user = 1; user <= Plan.Clients; user++)
        {
            _users.Add(new ChatUser(this, user, Dice.Split()));
        }

        _users.ForEach(static user => _ = user.RunAsync());
        _isStarted = true;
    }

    private ChatNode Make(Machine machine)
    {
        var node = new ChatNode(this, machine, _settings);
        _starts.Add(node);
        return node;
    }

    private void DrawSettings()
    {
        _settings = new Dictionary<string, string?>(StringComparer.Ordinal)
        {
            [StorePath] = Path.Combine(_folder, "chat.db"),
            ["ChatLog:Directory"] = "",
            ["ChatLog:SpillFile"] = "",
            ["Web:Enabled"] = "false",
            ["Rooms:Lasting"] = _roomsLast ? "true" : "false",
            ["Rooms:HistoryMessages"] = ForgetsSoon ? "3" : "1000",
            ["ChatLog:Durability"] = Dice.Pick("Async", "Stored"),
            ["PlayChat:Sessions:ResumeWindow"] = $"{Plan.ResumeWindow}",
            ["Sessions:PacketsPerSecond"] = "0",
            ["Sessions:RoomsPerMinute"] = "0",
            ["Sessions:PagesPerSecond"] = "0",
            ["Rooms:MaxCreatedPerPlayer"] = "1000000",
            ["PlayChat:Rooms:MaxItemsPerTurn"] = $"{Plan.MaxItemsPerTurn}",
            ["PlayChat:Rooms:FlushInterval"] = $"{Plan.FlushInterval}",
            ["PlayChat:Connections:SilentAfter"] = $"{Plan.SilentAfter}",
        };
        if (_fleet?.Plan is { } plan)
        {
            _settings["ChatLog:Durability"] = "Async"; // a cluster has no other
            _settings["Sessions:ReturnWithin"] = "00:00:00"; // a node that stops would wait for clients that do not return
            _settings["Cluster:Shards"] = $"{plan.Shards}";
            _settings["Cluster:Lease"] = $"{plan.Lease}";
            _settings["Cluster:SweepInterval"] = $"{plan.SweepInterval}";
            _settings["Cluster:AnswerTimeout"] = $"{plan.AnswerTimeout}";
        }

        Tell(string.Join(", ", _settings.Where(static setting => setting.Key != StorePath).Select(static setting => $"{setting}")));
    }

    private protected override void Step()
    {
        // No time passes before the server has started, so a start that waits for something lost would never end.
        Judge.Require(_isStarted || _sinceBegin.Elapsed < s_startTime, "liveness", "the server does not start");
        if (_isStarted)
        {
            MoveOn();
        }
    }

    private protected override void BeginPhase()
    {
        switch (Phase)
        {
            case 1: // the faults stop
                SetFaults(Network);
                _fleet?.CalmDown();
                break;
            case 2: // everything has had the time to settle: everybody speaks
                _fleet?.CheckUp();
                _users.ForEach(static user => _ = user.SayEverywhereAsync());
                break;
            case 3:
                foreach (ChatUser user in _users)
                {
                    Judge.Require(
                        user.Client?.IsConnected == true, "liveness", $"{user.Name} is not logged in although the faults have stopped");
                }

                History.CheckConvergence(_users);
                _users.ForEach(static user => _ = user.EndAsync());
                break;
            case 4: // everything has ended that was left alone
                foreach (PlayChatServer server in Servers)
                {
                    Judge.Require(server.Sessions.Count == 0, "no session leaks", $"{server.Sessions.Count} sessions are left");
                    int rooms = server.Rooms.All.Count();
                    Judge.Require(_roomsLast || rooms == 0, "no room leaks", $"{rooms} rooms without members have not ended");
                }

                _stop = _fleet?.StopAsync() ?? _alone!.StopAsync();
                break;
            default:
                Judge.Require(_stop!.IsCompletedSuccessfully, "liveness", $"the server has not stopped: {_stop.Status} {_stop.Exception}");
                _alone?.CheckEnded();
                IsOver = true;
                break;
        }
    }
}
