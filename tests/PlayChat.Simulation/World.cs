using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using PlayChat.Core.Connections;
using PlayChat.Core.Transport;
using PlayChat.Testing;

namespace PlayChat.Simulation;

/// <summary>One server and its clients, from the start to the end of both; the seed decides everything.</summary>
internal sealed class World
{
    // More than every deadline of the server and of the clients together.
    private static readonly TimeSpan s_settle = TimeSpan.FromSeconds(150);

    private readonly Dice _dice;
    private readonly ReadyQueue _ready;
    private readonly List<SimulatedClient> _clients = [];
    private readonly Dictionary<string, long> _counts = new(StringComparer.Ordinal);
    private readonly SimulatedServer _server;
    private readonly CountingPool _pool = new();
    private int _members;
    private int _phase;
    private TimeSpan _phaseEnds;
    private Task? _stop;
    private bool _isStarted;

    internal World(Plan plan, Variant variant, bool keepsLines, TextWriter? output = null)
    {
        Plan = plan;
        Variant = variant;
        _dice = new Dice(plan.Seed ^ 0xA5A5A5A5);
        Clock = new SimulatedClock();
        Trace = new Trace(Clock, output) { KeepsLines = keepsLines };
        Judge = new Judge(this);
        Tickets = new TicketLog(this);
        _ready = new ReadyQueue(_dice.Split(), Clock, e => Judge.Require(false, "no fault", e.ToString()));
        Network = new SimulatedNetwork(_dice.Split(), Clock, _ready) 
        {
            Readiness = plan.Readiness,
            LinkBytes = plan.LinkBytes,
            ReceiveBytes = plan.ReceiveBytes,
        };
        _server = new SimulatedServer(this, _pool);
        Variants.Apply(variant, Network, _ready, _dice.Split());
    }

    internal Plan Plan { get; }

    internal Variant Variant { get; }

    internal SimulatedClock Clock { get; }

    internal SimulatedNetwork Network { get; }

    internal Trace Trace { get; }

    internal Judge Judge { get; }

    internal TicketLog Tickets { get; }

    /// <summary>How often each fault and state was reached.</summary>
    internal IReadOnlyDictionary<string, long> Counts => _counts;

    internal int Clients => _clients.Count;

    internal CountingPool Pool => _pool;

    internal bool IsOver { get; private set; }

    /// <summary>Whether everything has had the time to settle since the faults stopped.</summary>
    internal bool IsSettled => _phase == 2;

    private bool IsStopping => _stop is not null;

    /// <summary>Whether faults happen.</summary>
    internal bool IsChaos => _phase == 0;

    /// <summary>Runs the world to its end. Call it from a thread that is not of the pool.</summary>
    internal void Run()
    {
        SinglePool.Run(Begin, Step);
        Count("work items", _ready.Count);
        Count("work items that were late", _ready.LateCount);
        Count("work items in the middle of others", _ready.InterruptCount);
        Count("stalls", Network.StallCount);
        Count("buffers rented", _pool.Rents);
        Count("partial operations", Network.PartCount);
        Count("sends cut short by the end of a link", Network.FailedSends);
    }

    internal void Count(string what, long by = 1)
    {
        _counts[what] = _counts.GetValueOrDefault(what) + by;
        Trace.Add(what.Length, what[0], by);
    }

    internal void Note([InterpolatedStringHandlerArgument("")] ref Trace.Interpolated line) => Trace.Note(ref line);

    internal void NoteDelivery(int user, int packet, long room, int number)
    {
        Trace.Add(user, packet, (room << 32) + number);
        if (Trace.KeepsLines)
        {
            Note($"client {user} got packet {packet} of room {room}: {number}");
        }
    }

    internal int NextMember() => ++_members;

    /// <summary>Whether a room refuses the session that wants to join now.</summary>
    internal bool Refuses() => IsChaos && Plan.Refusals > 0 && _dice.Chance(Plan.Refusals);

    /// <summary>A handler of the application takes its time.</summary>
    internal Task WorkAsync() => Plan.HandlerTime == TimeSpan.Zero
        ? Task.CompletedTask
        : Task.Delay(_dice.Between(0, Plan.HandlerTime.TotalSeconds), Clock);

    /// <summary>Lets another thread run an item now and then. Called in code that Core calls.</summary>
    internal void Interrupt() => _ready.Interrupt();

    /// <inheritdoc cref="SimulatedServer.MayRefuse"/>
    internal bool MayRefuse(ReadOnlyMemory<byte> token) => IsStopping || _server.MayRefuse(token);

    private void Begin()
    {
        ResetIds();
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
            await _server.StartAsync();
        }
        catch (Exception e)
        {
            Judge.Require(false, "no fault", e.ToString());
        }

        for (int user = 1; user <= Plan.Clients; user++)
        {
            var client = new SimulatedClient(this, user, _dice.Split());
            _clients.Add(client);
            client.Start(_dice.Between(0, 2));
        }

        _isStarted = true;
        Attack();
        StepClock();
        Moderate();
    }

    /// <summary>Lets time pass. Nothing is ready to run.</summary>
    private bool Step()
    {
        if (Judge.Finding is not null)
        {
            IsOver = true;
        }

        if (IsOver)
        {
            ILocalWorkQueue.Current = null;
            LocalWork.Pool = null;
            _ready.Clear();
            _ready.Interrupts = 0;
            return false;
        }

        _server.CheckBounds();
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
            case 1 when Plan.StopsEarly:
                Count("stops in the middle");
                _stop = StopAsync();
                _phase = 4;
                break;
            case 1: // the faults stop
                SetFaults(on: false);
                _clients.ForEach(static client => client.CalmDown());
                break;
            case 2: // everything has had the time to settle: everybody speaks
                _clients.ForEach(static client => client.SayEverywhere());
                break;
            case 3:
                CheckConvergence();
                _clients.ForEach(static client => client.EndForGood());
                break;
            case 4: // everything has ended that was left alone
                _server.CheckNothingLeft();
                _stop = StopAsync();
                break;
            default:
                Judge.Require(_stop!.IsCompletedSuccessfully, "liveness", $"the server has not stopped: {_stop.Status} {_stop.Exception}");
                _server.CheckEnds();
                Judge.Require(_pool.InUse == 0, "buffers come back", $"{_pool.InUse} of {_pool.Rents} buffers are still rented");
                Judge.Require(Network.Open.Count == 0, "links are let go", $"{Network.Open.Count} links are not disposed");
                IsOver = true;
                break;
        }
    }

    private async Task StopAsync()
    {
        await _server.StopAsync();
        _server.CheckRoomsEnded();
    }

    private void CheckConvergence()
    {
        foreach (SimulatedClient client in _clients)
        {
            Judge.Require(client.IsOnline, "liveness", $"{client.Name} is not logged in although the faults have stopped");
            Judge.Require(!client.Queue.IsWaiting, "liveness", $"{client.Name} still waits for a match or for its seat");
            foreach (ClientRoom room in client.Rooms.Values)
            {
                RoomLog log = Judge.Rooms[room.Id];
                if (!log.Members.ContainsKey(room.Number))
                {
                    continue; // the room has taken it out, and the client has not asked since
                }

                Judge.Require(
                    room.Last == log.Events.Count,
                    "everything arrives",
                    $"{client.Name} knows {room.Last} of {log.Events.Count} events of room {room.Id}");
                Judge.Require(
                    room.Members.SetEquals(log.Members.Keys),
                    "member lists agree",
                    $"{client.Name} has the members {Join(room.Members)} of room {room.Id}, the room {Join(log.Members.Keys)}");
                Judge.Require(
                    room.Unacknowledged.Count == 0,
                    "liveness",
                    $"{client.Name} has no answer to message {room.Unacknowledged.FirstOrDefault()} in room {room.Id}");
            }
        }

        static string Join(IEnumerable<int> numbers) => string.Join(' ', numbers.Order());
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

    private void Attack()
    {
        if (Plan.Has(Faults.Attacks))
        {
            Clock.After(_dice.Between(0.1, 5), () =>
            {
                if (IsChaos)
                {
                    Attacks.Begin(this, _dice);
                    Attack();
                }
            });
        }
    }

    private void StepClock()
    {
        if (Plan.Has(Faults.ClockSteps))
        {
            Clock.After(_dice.Between(1, 20), () =>
            {
                if (IsChaos)
                {
                    Count("clock steps");
                    Clock.StepWall(TimeSpan.FromSeconds(_dice.Next(20_000) - 10_000));
                    if (_dice.Chance(0.3))
                    {
                        Count("suspensions");
                        Clock.Suspend(_dice.Between(0.1, 10));
                    }

                    StepClock();
                }
            });
        }
    }

    private void Moderate() => Clock.After(_dice.Between(5, 30), () =>
    {
        if (IsChaos)
        {
            _server.ExpelSomebody(_dice);
            Moderate();
        }
    });

    /// <summary>Ids of connections are numbers of the process; here they are numbers of the world.</summary>
    internal static void ResetIds()
    {
        FieldInfo field = typeof(Connection).GetField("s_lastId", BindingFlags.NonPublic | BindingFlags.Static)
            ?? throw new UnreachableException("Connection.s_lastId");
        field.SetValue(null, 0L);
    }
}
