using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Reflection;
using System.Runtime.CompilerServices;
using PlayChat.Core.Connections;
using PlayChat.Core.Transport;
using PlayChat.Simulation.Chat;
using PlayChat.Simulation.Cluster;

namespace PlayChat.Simulation;

/// <summary>What all worlds have: the seed's dice, the clock, the ready work, the history and the judge.</summary>
internal abstract class SimulatedWorld
{
    private readonly Dictionary<string, long> _counts = new(StringComparer.Ordinal);
    private int _members;
    private TimeSpan _phaseEnds;

    private protected SimulatedWorld(Plan plan, Variant variant, bool keepsLines, TextWriter? output)
    {
        Plan = plan;
        Variant = variant;
        Dice = new Dice(plan.Seed ^ 0xA5A5A5A5);
        Clock = new SimulatedClock();
        Trace = new Trace(Clock, output) { KeepsLines = keepsLines };
        Judge = new Judge(this);
        Ready = new ReadyQueue(Dice.Split(), Clock, e => Judge.Require(false, "no fault", e.ToString()));
    }

    internal Plan Plan { get; }

    internal Variant Variant { get; }

    internal SimulatedClock Clock { get; }

    internal Trace Trace { get; }

    internal Judge Judge { get; }

    /// <summary>How often each fault and state was reached.</summary>
    internal IReadOnlyDictionary<string, long> Counts => _counts;

    internal abstract int Clients { get; }

    /// <summary>The average time between two things that a client does.</summary>
    internal virtual TimeSpan Pace => Plan.Pace;

    internal bool IsOver { get; private protected set; }

    /// <summary>Whether faults happen.</summary>
    internal bool IsChaos => Phase == 0;

    /// <summary>Whether everybody leaves.</summary>
    internal bool IsEnding => Phase >= 3;

    /// <summary>0 while faults happen, 1 while everything settles, 2 when all clients speak, 3 when they end, 4 when the servers stop,
    /// 5 when they must have stopped.</summary>
    private protected int Phase { get; set; }

    /// <summary>How long a phase after the faults takes: longer than every deadline of the servers and of the clients together.</summary>
    private protected abstract TimeSpan PhaseTime { get; }

    private protected Dice Dice { get; }

    private protected ReadyQueue Ready { get; }

    /// <summary>Makes the world that a plan describes.</summary>
    internal static SimulatedWorld Create(Plan plan, Variant variant, bool keepsLines, TextWriter? output = null) =>
        plan.IsChat ? new ChatWorld(plan, variant, keepsLines, output)
            : plan.Cluster is null ? new World(plan, variant, keepsLines, output)
            : new ClusterWorld(plan, variant, keepsLines, output);

    /// <summary>Runs the world to its end. Call it from a thread that is not of the pool.</summary>
    internal void Run()
    {
        SinglePool.Run(BeginFirst, StepOnce);
        Count("work items", Ready.Count);
        Count("work items that were late", Ready.LateCount);
        Count("work items in the middle of others", Ready.InterruptCount);
        OnEnded();
        DisposeMeters();
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

    /// <summary>Whether a server may refuse the newest token that a client has.</summary>
    internal virtual bool MayRefuse(ReadOnlyMemory<byte> token) => true;

    /// <summary>Makes the network of a server, as the plan says.</summary>
    private protected SimulatedNetwork CreateNetwork() => new(Dice.Split(), Clock, Ready)
    {
        Readiness = Plan.Readiness,
        LinkBytes = Plan.LinkBytes,
        ReceiveBytes = Plan.ReceiveBytes,
        Interrupt = Ready.Interrupt,
    };

    /// <summary>Sets the faults of the scheduler and of a network.</summary>
    internal void SetFaults(SimulatedNetwork network)
    {
        Plan plan = IsChaos ? Plan : Plan with { Faults = Faults.None };
        Ready.Late = plan.Has(Faults.LateWork) ? plan.Late : 0;
        Ready.Interrupts = IsChaos ? plan.Interrupts : 0;
        Ready.Overtaken = plan.Has(Faults.Overtaking) ? plan.Overtaken : 0;
        network.MaxDelay = plan.Has(Faults.Delays) ? plan.MaxDelay : TimeSpan.Zero;
        network.Stalls = plan.Has(Faults.Stalls) ? plan.Stalls : 0;
        network.Parts = plan.Has(Faults.Parts) ? plan.Parts : 0;
    }

    private protected abstract void Begin();

    /// <summary>Lets time pass. Nothing is ready to run.</summary>
    private protected abstract void Step();

    /// <summary>Moves to the next time at which something is due, or to the next phase.</summary>
    private protected void MoveOn()
    {
        // A server that has stopped has no timers.
        if (Clock.Elapsed >= _phaseEnds || !Clock.MoveOn(Ready.Add))
        {
            Phase++;
            Note($"phase {Phase}");
            _phaseEnds = Clock.Elapsed + PhaseTime;
            BeginPhase();
        }
    }

    /// <summary>Begins a phase after the faults.</summary>
    private protected abstract void BeginPhase();

    /// <summary>Counts what is known at the end alone.</summary>
    private protected virtual void OnEnded()
    {
    }

    /// <summary>A server that was killed has its meters still, and the runtime keeps each meter, and so the world, until it is
    /// disposed.</summary>
    private static void DisposeMeters()
    {
        HashSet<Meter> meters = [];
        using var listener = new MeterListener { InstrumentPublished = (instrument, _) => meters.Add(instrument.Meter) };
        listener.Start();
        foreach (Meter meter in meters.Where(static meter => meter.Name.StartsWith("PlayChat", StringComparison.Ordinal)))
        {
            meter.Dispose();
        }
    }

    private void BeginFirst()
    {
        ResetIds();
        ILocalWorkQueue.Current = Ready;
        LocalWork.Pool = Ready;
        _phaseEnds = Clock.Elapsed + Plan.Chaos;
        Begin();
    }

    private bool StepOnce()
    {
        if (Judge.Finding is not null)
        {
            IsOver = true;
        }

        if (IsOver)
        {
            ILocalWorkQueue.Current = null;
            LocalWork.Pool = null;
            Ready.Clear();
            Ready.Interrupts = 0;
            return false;
        }

        Step();
        return true;
    }

    /// <summary>Ids of connections are numbers of the process; here they are numbers of the world.</summary>
    private static void ResetIds()
    {
        FieldInfo field = typeof(Connection).GetField("s_lastId", BindingFlags.NonPublic | BindingFlags.Static)
            ?? throw new UnreachableException("Connection.s_lastId");
        field.SetValue(null, 0L);
    }
}
