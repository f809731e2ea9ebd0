namespace PlayChat.Benchmark.Pacing;

/// <summary>Sends by a plan from one thread, and records how late it was.</summary>
internal sealed class Pacer
{
    private readonly PayloadMix _mix;
    private readonly IReadOnlyList<IPacedSender> _bots;
    private readonly Random _random; // the thread's own
    private readonly PacerThread _thread;
    private MeasureWindow _window = null!; // set by Start
    private long _sent;

    public Pacer(PacingPlan plan, PayloadMix mix, int seed, IReadOnlyList<IPacedSender> bots)
    {
        _mix = mix;
        _bots = bots;
        _random = new Random(seed);
        _thread = new PacerThread(plan, OnDue);
    }

    /// <summary>Messages sent, in all phases.</summary>
    public long Sent => Volatile.Read(ref _sent);

    /// <summary>Planned to real time of sending of measured messages. Read it after <see cref="Stopped"/> has completed.</summary>
    public LatencyHistogram Lag { get; } = new();

    /// <summary>Completes after the last message.</summary>
    public Task Stopped => _thread.Stopped;

    /// <summary>Starts sending. Call it once.</summary>
    public void Start(RunClock clock, MeasureWindow window)
    {
        _window = window;
        _thread.Start(clock, window);
    }

    private void OnDue(int client, long planned, long now)
    {
        if (!_bots[client].Send(planned, _mix.Next(_random)))
        {
            return;
        }

        Volatile.Write(ref _sent, _sent + 1);
        if (_window.Contains(planned))
        {
            Lag.Record(now - planned);
        }
    }
}

/// <summary>A client that sends when a <see cref="Pacer"/> tells it to.</summary>
internal interface IPacedSender
{
    /// <summary>Sends the next message. Only the pacer's thread calls it.</summary>
    /// <returns>False when the connection does not accept it.</returns>
    bool Send(long plannedNanoseconds, int textBytes);
}
