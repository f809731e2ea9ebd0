namespace PlayChat.Benchmark.Echo;

/// <summary>The open loop's generator: one thread that follows the plan, and keeps how far behind it was.</summary>
internal sealed class EchoPacer
{
    private const int Seed = 1;

    private readonly OpenEchoLink[] _links; // by the plan's clients
    private readonly PacerThread _thread;
    private MeasureWindow _window = null!; // set when it begins

    public EchoPacer(EchoLoad load)
    {
        int ccu = load.Settings.Ccu;
        var plan = new PacingPlan(ccu, load.Settings.Rate!.Value / ccu, Seed);
        _links = new OpenEchoLink[ccu];
        for (int place = 0; place < ccu; place++)
        {
            _links[plan[place].Client] = new OpenEchoLink(load, plan, place, ccu);
        }

        _thread = new PacerThread(plan, OnDue);
    }

    public IReadOnlyList<EchoLink> Links => _links;

    /// <summary>
    /// Planned time to the generator's own, of what was measured, whether the window let it send or not. To be read when the load is done.
    /// </summary>
    public LatencyRecorder Lag { get; } = new();

    /// <summary>Begins. Once, when all links have begun.</summary>
    public void Start(RunClock clock, MeasureWindow window)
    {
        _window = window;
        _thread.Start(clock, window);
    }

    /// <summary>Waits until nothing is due any more, which the window's end makes soon, and tells the links.</summary>
    public async Task StopAsync()
    {
        await _thread.Stopped;
        Array.ForEach(_links, static link => link.OnPlanEnd());
    }

    private void OnDue(int client, long planned, long now)
    {
        if (_window.Contains(planned))
        {
            Lag.Record(now - planned);
        }

        _links[client].OnDue(_thread.StartNanoseconds);
    }
}
