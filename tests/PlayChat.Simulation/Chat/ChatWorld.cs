using System.Diagnostics;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using PlayChat.Chat;
using PlayChat.Core.Hosting;
using PlayChat.Protocol;
using PlayChat.Testing;

namespace PlayChat.Simulation.Chat;

/// <summary>The chat server and players with the real client, from the start to the end of all; the seed decides everything.</summary>
internal sealed class ChatWorld : SimulatedWorld
{
    internal const int Port = 7777;

    private const string StorePath = "Storage:Path";

    private static readonly TimeSpan s_startTime = TimeSpan.FromMinutes(1); // of real time: far more than a start takes

    private readonly Stopwatch _sinceBegin = Stopwatch.StartNew();

    private readonly List<ChatUser> _users = [];
    private readonly CountingPool _pool = new();
    private readonly bool _roomsLast;
    private readonly string _folder = Directory.CreateTempSubdirectory("playchat-world-").FullName;
    private IHost? _host;
    private Task? _stop;
    private bool _isStarted;

    internal ChatWorld(Plan plan, Variant variant, bool keepsLines, TextWriter? output = null)
        : base(plan, variant, keepsLines, output)
    {
        History = new ChatHistory(this);
        Network = CreateNetwork();
        _roomsLast = Dice.Chance(0.3);
        ForgetsSoon = Dice.Chance(0.3);
        Variants.Apply(variant, Clock, Network, Ready, Dice.Split());
    }

    internal SimulatedNetwork Network { get; }

    internal ChatHistory History { get; }

    internal override int Clients => _users.Count;

    /// <summary>The ids of the rooms that the clients know of.</summary>
    internal List<long> Rooms { get; } = [];

    /// <summary>Whether rooms remember so little that they may have forgotten what a client missed while it was on its way back.</summary>
    internal bool ForgetsSoon { get; }

    internal bool IsEnding => Phase >= 3;

    private protected override TimeSpan PhaseTime => TimeSpan.FromSeconds(240);

    private PlayChatServer Server => _host!.Services.GetRequiredService<PlayChatServer>();

    /// <summary>Adds a text to the history and to its hash.</summary>
    internal void Tell(string line) => Trace.AddLine(line);

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
            _host!.Dispose(); // a host that has not stopped would wait for time that does not pass any more
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
            _host = Build();
            await _host.StartAsync();
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

    private IHost Build()
    {
        HostApplicationBuilder builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        var settings = new Dictionary<string, string?>(StringComparer.Ordinal)
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
            ["PlayChat:Endpoints:0:Address"] = $"127.0.0.1:{Port}",
            ["PlayChat:Rooms:MaxItemsPerTurn"] = $"{Plan.MaxItemsPerTurn}",
            ["PlayChat:Rooms:FlushInterval"] = $"{Plan.FlushInterval}",
            ["PlayChat:Connections:SilentAfter"] = $"{Plan.SilentAfter}",
        };
        Tell(string.Join(", ", settings.Where(static setting => setting.Key != StorePath).Select(static setting => $"{setting}")));
        builder.Configuration.AddInMemoryCollection(settings);
        builder.Logging.AddProvider(new WorldLog(this)).SetMinimumLevel(LogLevel.Information);
        builder.Services.AddSingleton<TimeProvider>(Clock).AddSingleton<IHostLifetime, NoLifetime>();
        builder.Services.AddChat(
            builder.Configuration,
            chat => chat.ConfigureServer(server => server.UseTransport(Network).UseTime(Clock).UsePool(_pool)));
        return builder.Build();
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
                break;
            case 2: // everything has had the time to settle: everybody speaks
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
                Judge.Require(Server.Sessions.Count == 0, "no session leaks", $"{Server.Sessions.Count} sessions are left");
                int rooms = Server.Rooms.All.Count();
                Judge.Require(_roomsLast || rooms == 0, "no room leaks", $"{rooms} rooms without members have not ended");
                _stop = _host!.StopAsync();
                break;
            default:
                Judge.Require(_stop!.IsCompletedSuccessfully, "liveness", $"the server has not stopped: {_stop.Status} {_stop.Exception}");
                Judge.Require(_pool.InUse == 0, "buffers come back", $"{_pool.InUse} of {_pool.Rents} buffers are still rented");
                Judge.Require(Network.Open.Count == 0, "links are let go", $"{Network.Open.Count} links are not disposed");
                IsOver = true;
                break;
        }
    }

    private sealed class NoLifetime : IHostLifetime
    {
        public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
