using PlayChat.Simulation.Cluster;

namespace PlayChat.Simulation;

/// <summary>What the seed has drawn for a world: the options of its server, its clients and its faults.</summary>
internal sealed record Plan
{
    // The file of seeds names lower seeds, whose worlds keep their meaning.
    private const ulong FirstWideSeed = 2000;
    private const ulong FirstBusySeed = 3000;

    internal ulong Seed { get; init; }

    internal int Clients { get; init; }

    internal int RoomNames { get; init; }

    internal Faults Faults { get; init; }

    internal TimeSpan Chaos { get; init; }

    internal Readiness Readiness { get; init; }

    internal TimeSpan MaxDelay { get; init; }

    internal double Stalls { get; init; }

    internal double Parts { get; init; }

    internal double Late { get; init; }

    internal double Overtaken { get; init; }

    internal int LinkBytes { get; init; }

    internal int Fill { get; init; }

    internal int MaxOutboundBytes { get; init; }

    internal bool Waits { get; init; }

    internal int QueueItems { get; init; }

    internal int MaxItemsPerTurn { get; init; }

    internal TimeSpan FlushInterval { get; init; }

    internal int ReplayBytes { get; init; }

    internal TimeSpan ResumeWindow { get; init; }

    internal bool CloseIsLeave { get; init; }

    internal int FramesPerSecond { get; init; }

    internal int Capacity { get; init; }

    internal TimeSpan SilentAfter { get; init; }

    internal TimeSpan Pace { get; init; }

    /// <summary>The ticks of a room a second; 0 for none.</summary>
    internal double TickHertz { get; init; }

    /// <summary>Which frames a slow client may miss: 0 none, 1 those that come while it is behind, 2 all but the newest.</summary>
    internal int Loose { get; init; }

    /// <summary>The most bytes that a receive takes.</summary>
    internal int ReceiveBytes { get; init; } = int.MaxValue;

    /// <summary>The probability that another thread runs an item in the middle of an operation or a hook.</summary>
    internal double Interrupts { get; init; }

    /// <summary>All clients act at once, at multiples of this time; zero for each at a time of its own.</summary>
    internal TimeSpan Beat { get; init; }

    /// <summary>Whether the server stops while its clients and its network are at their worst.</summary>
    internal bool StopsEarly { get; init; }

    /// <summary>How long the stop waits before it aborts.</summary>
    internal TimeSpan StopTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The longest time that the application's part of a resume takes.</summary>
    internal TimeSpan HandlerTime { get; init; }

    /// <summary>The probability that a client changes its connection again while it resumes, or at once afterwards.</summary>
    internal double Impatience { get; init; }

    /// <summary>The probability that a room refuses a session.</summary>
    internal double Refusals { get; init; }

    /// <summary>Whether a login takes over the user's older session and waits for what its rooms do.</summary>
    internal bool TakesOver { get; init; }

    /// <summary>The queue of the world; <see langword="null"/> for none.</summary>
    internal QueuePlan? Queue { get; init; }

    /// <summary>Whether the world has the chat server and its real client.</summary>
    internal bool IsChat { get; init; }

    /// <summary>The cluster of the world; <see langword="null"/> for one server without a cluster.</summary>
    internal ClusterPlan? Cluster { get; init; }

    internal static Plan Draw(ulong seed, TimeSpan chaos, int nodes)
    {
        var dice = new Dice(seed);
        Faults faults = dice.Chance(0.1) ? Faults.None : (Faults)dice.Next((int)Faults.All + 1);
        var plan = new Plan
        {
            Seed = seed,
            Chaos = chaos,
            Faults = faults,
            Clients = 2 + dice.Next(19),
            RoomNames = 1 + dice.Next(4),
            Readiness = dice.Pick(Readiness.Receive, Readiness.Wait, Readiness.Reader),
            MaxDelay = TimeSpan.FromMilliseconds(dice.Pick(1, 5, 50, 300)),
            Stalls = dice.Pick(0.0002, 0.002, 0.01),
            Parts = dice.Pick(0.01, 0.1, 0.5),
            Late = dice.Pick(0.001, 0.01, 0.1),
            Overtaken = dice.Pick(0.05, 0.3, 0.6),
            LinkBytes = dice.Pick(700, 4096, 65_536),
            Fill = dice.Pick(0, 40, 400, 3000),
            MaxOutboundBytes = dice.Pick(4096, 8192, 65_536),
            Waits = dice.Chance(0.3),
            QueueItems = dice.Pick(16, 64, 1024),
            MaxItemsPerTurn = dice.Pick(1, 4, 256),
            FlushInterval = TimeSpan.FromMilliseconds(dice.Pick(0, 0, 5, 100)),
            ReplayBytes = dice.Pick(0, 1024, 4096, 65_536),
            ResumeWindow = TimeSpan.FromSeconds(dice.Pick(0, 2, 20, 20, 60)),
            CloseIsLeave = dice.Chance(0.5),
            FramesPerSecond = dice.Pick(0, 0, 5),
            Capacity = dice.Pick(1, 3, 100, 100, 100),
            SilentAfter = TimeSpan.FromMilliseconds(dice.Pick(0, 100, 5000)),
            Pace = TimeSpan.FromMilliseconds(dice.Pick(50, 500, 2000)),
            TickHertz = dice.Pick(0, 0, 0.3, 3),
            Loose = dice.Next(3),
            Queue = QueuePlan.Draw(seed),
            Cluster = nodes > 1 ? ClusterPlan.Draw(seed, nodes) : null,
        };
        plan = seed < FirstWideSeed ? plan : plan.Widen(new Dice(seed ^ 0x1A7E51A7E5));
        return seed < FirstBusySeed ? plan : plan.Hurry(new Dice(seed ^ 0xEA5E)); // a number that leaves the seeds of the files alone
    }

    internal bool Has(Faults fault) => (Faults & fault) != Faults.None;

    private Plan Widen(Dice dice) => this with
    {
        ReceiveBytes = dice.Pick(int.MaxValue, 64, 16),
        Interrupts = dice.Pick(0, 0.02, 0.2),
        StopsEarly = dice.Chance(0.2),
        Refusals = dice.Pick(0, 0.1),
        TakesOver = dice.Chance(0.5),
        Impatience = Has(Faults.Breaks) ? dice.Pick(0, 0.3) : 0,
        HandlerTime = TimeSpan.FromMilliseconds(dice.Pick(0, 100, 2000)),
    };

    private Plan Hurry(Dice dice) => dice.Chance(0.5)
        ? this with
        {
            Interrupts = 1,
            Beat = TimeSpan.FromSeconds(dice.Pick(0, 5)),
            StopTimeout = TimeSpan.FromSeconds(dice.Pick(10, 0.1)),
        }
        : this;
}
