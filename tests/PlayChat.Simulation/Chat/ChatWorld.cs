using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using PlayChat.Chat;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.Protocol;
using PlayChat.Testing;

namespace PlayChat.Simulation.Chat;

/// <summary>The chat server and players with the real client, from the start to the end of all; the seed decides everything.</summary>
internal sealed class ChatWorld
{
    internal const int Port = 7777;

    private const string StorePath = "Storage:Path";

    // More than every deadline of the server and of the clients together.
    private static readonly TimeSpan s_settle = TimeSpan.FromSeconds(240);

    private readonly Dice _dice;
    private readonly ReadyQueue _ready;
    private readonly List<ChatUser> _users = [];
    private readonly Dictionary<string, long> _counts = new(StringComparer.Ordinal);
    private readonly CountingPool _pool = new();
    private readonly bool _roomsLast;
    private readonly string _folder = Directory.CreateTempSubdirectory("playchat-world-").FullName;
    private IHost? _host;
    private int _phase;
    private TimeSpan _phaseEnds;
    private Task? _stop;
    private bool _isStarted;

    internal ChatWorld(Plan plan, Variant variant, bool keepsLines, TextWriter? output = null)
    {
        Plan = plan;
        _dice = new Dice(plan.Seed ^ 0xC4A7);
        Clock = new SimulatedClock();
        Trace = new Trace(Clock, output) { KeepsLines = keepsLines };
        Judge = new ChatJudge(this);
        _ready = new ReadyQueue(_dice.Split(), Clock, e => Judge.Require(false, "no fault", e.ToString()));
        Network = new SimulatedNetwork(_dice.Split(), Clock, _ready)
        {
            Readiness = plan.Readiness,
            LinkBytes = plan.LinkBytes,
            ReceiveBytes = plan.ReceiveBytes,
        };
        _roomsLast = _dice.Chance(0.3);
        ForgetsSoon = _dice.Chance(0.3);
        Variants.Apply(variant, Network, _ready, _dice.Split());
    }

    internal Plan Plan { get; }

    internal SimulatedClock Clock { get; }

    internal SimulatedNetwork Network { get; }

    internal Trace Trace { get; }

    internal ChatJudge Judge { get; }

    internal IReadOnlyDictionary<string, long> Counts => _counts;

    internal int Clients => _users.Count;

    /// <summary>The ids of the rooms that the clients know of.</summary>
    internal List<long> Rooms { get; } = [];

    /// <summary>Whether faults happen.</summary>
    internal bool IsChaos => _phase == 0;

    /// <summary>Whether rooms remember so little that they may have forgotten what a client missed while it was on its way back.</summary>
    internal bool ForgetsSoon { get; }

    internal bool IsOver { get; private set; }

    internal bool IsEnding => _phase >= 3;

    private PlayChatServer Server => _host!.Services.GetRequiredService<PlayChatServer>();

    /// <summary>Runs the world to its end. Call it from a thread that is not of the pool.</summary>
    internal void Run()
    {
        SinglePool.Run(Begin, Step);
        _host?.Dispose();
        Directory.Delete(_folder, recursive: true);
        Count("work items", _ready.Count);
        Count("work items in the middle of others", _ready.InterruptCount);
        Count("partial operations", Network.PartCount);
        Count("stalls", Network.StallCount);
    }

    internal void Count(string what) => Count(what, 1);

    internal void Note(string line) => Trace.AddLine(line);

    /// <summary>The client of another player that is logged in.</summary>
    internal ChatClient? Other(ChatUser user, Dice dice)
    {
        ChatUser other = _users[dice.Next(_users.Count)];
        return other == user ? null : other.Client;
    }

    private void Count(string what, long by) => _counts[what] = _counts.GetValueOrDefault(what) + by;

    private void Begin()
    {
        World.ResetIds();
        SharedRandom.Reset(_dice);
        ILocalWorkQueue.Current = _ready;
        LocalWork.Pool = _ready;
        SetFaults(on: true);
        _phaseEnds = Clock.Elapsed + Plan.Chaos;
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
            _users.Add(new ChatUser(this, user, _dice.Split()));
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
            ["ChatLog:Durability"] = _dice.Pick("Async", "Stored"),
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
        Note(string.Join(", ", settings.Where(static setting => setting.Key != StorePath).Select(static setting => $"{setting}")));
        builder.Configuration.AddInMemoryCollection(settings);
        builder.Logging.AddProvider(new WorldLog(this)).SetMinimumLevel(LogLevel.Information);
        builder.Services.AddSingleton<TimeProvider>(Clock).AddSingleton<IHostLifetime, NoLifetime>();
        builder.Services.AddChat(
            builder.Configuration,
            chat => chat.ConfigureServer(server => server.UseTransport(Network).UseTime(Clock).UsePool(_pool)));
        return builder.Build();
    }

    /// <summary>Lets time pass. Nothing is ready to run.</summary>
    private bool Step()
    {
        IsOver |= Judge.Finding is not null;
        if (IsOver)
        {
            ILocalWorkQueue.Current = null;
            LocalWork.Pool = null;
            _ready.Clear();
            _ready.Interrupts = 0;
            return false;
        }

        // A server that has stopped has no timers.
        if (_isStarted && (Clock.Elapsed >= _phaseEnds || !Clock.MoveOn(_ready.Add)))
        {
            NextPhase();
        }

        return true;
    }

    private void NextPhase()
    {
        _phase++;
        Note($"phase {_phase}");
        _phaseEnds = Clock.Elapsed + s_settle;
        switch (_phase)
        {
            case 1: // the faults stop
                SetFaults(on: false);
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

                Judge.CheckConvergence(_users);
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

    private void SetFaults(bool on)
    {
        Plan plan = on ? Plan : Plan with { Faults = Faults.None };
        Network.MaxDelay = plan.Has(Faults.Delays) ? plan.MaxDelay : TimeSpan.Zero;
        Network.Stalls = plan.Has(Faults.Stalls) ? plan.Stalls : 0;
        Network.Parts = plan.Has(Faults.Parts) ? plan.Parts : 0;
        _ready.Late = plan.Has(Faults.LateWork) ? plan.Late : 0;
        _ready.Interrupts = on ? plan.Interrupts : 0;
        _ready.Overtaken = plan.Has(Faults.Overtaking) ? plan.Overtaken : 0;
    }

    private sealed class NoLifetime : IHostLifetime
    {
        public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
