using PlayChat.Benchmark.Chat;
using PlayChat.Benchmark.Run;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Benchmark.Echo;

/// <summary>The open loop's generator: one thread that follows the plan, and keeps how far behind it was.</summary>
internal sealed class EchoPacer
{
    // How late an interrupted run may notice that it is over.
    private const long LongestSleep = 50_000_000;

    private const int Seed = 1;

    private readonly PacingPlan _plan;
    private readonly OpenEchoLink[] _links; // by the plan's clients

    /// <param name="load">With a rate.</param>
    public EchoPacer(EchoLoad load)
    {
        int ccu = load.Settings.Ccu;
        _plan = new PacingPlan(ccu, load.Settings.Rate!.Value / ccu, Seed);
        _links = new OpenEchoLink[ccu];
        for (int place = 0; place < ccu; place++)
        {
            _links[_plan[place].Client] = new OpenEchoLink(load, _plan, place, ccu);
        }
    }

    public IReadOnlyList<EchoLink> Links => _links;

    /// <summary>Planned time to the generator's own, of what was measured, whether the window let it send or not. To be read when the load is done.</summary>
    public LatencyRecorder Lag { get; } = new();

    /// <summary>Begins. Once, when all links have begun.</summary>
    /// <param name="clock">The run's clock.</param>
    /// <param name="window">Its end is the end of the plan.</param>
    public void Start(RunClock clock, MeasureWindow window)
    {
        var thread = new Thread(() => Run(clock, window)) { IsBackground = true, Name = "Pacer" };
        thread.Start();
    }

    private void Run(RunClock clock, MeasureWindow window)
    {
        long start = clock.Nanoseconds;
        for (long k = 0; ; k++)
        {
            (int client, long after) = _plan[k];
            long planned = start + after;
            long now = clock.Nanoseconds;
            while (now < planned && now < window.EndNanoseconds)
            {
                PreciseSleep.For(Math.Min(planned - now, LongestSleep));
                now = clock.Nanoseconds;
            }

            if (planned >= window.EndNanoseconds)
            {
                break;
            }

            if (window.Contains(planned))
            {
                Lag.Record(now - planned);
            }

            _links[client].OnDue(start);
        }

        Array.ForEach(_links, static link => link.OnPlanEnd());
    }
}
