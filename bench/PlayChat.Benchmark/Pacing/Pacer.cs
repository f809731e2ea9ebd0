namespace PlayChat.Benchmark.Pacing;

/// <summary>Sends by a plan from one thread, and records how late it was.</summary>
/// <param name="send">Called in the plan's order, not before its time, with client and planned time. Returns whether it was sent.</param>
internal sealed class Pacer(PacingPlan plan, Func<int, long, bool> send)
{
    // An interrupted run notices its end after at most this time.
    private const long LongestSleep = 50_000_000;

    private readonly TaskCompletionSource _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _sent;

    /// <summary>The start of the plan on the run's clock, once <see cref="Start"/> was called.</summary>
    public long StartNanoseconds { get; private set; }

    /// <summary>Messages sent, in all phases.</summary>
    public long Sent => Volatile.Read(ref _sent);

    /// <summary>Planned to real time of sending of measured messages. Read it after <see cref="Stopped"/> has completed.</summary>
    public LatencyHistogram Lag { get; } = new();

    /// <summary>Completes when no message is due any more, and fails when the thread fails.</summary>
    public Task Stopped => _stopped.Task;

    /// <summary>Starts the thread. Call it once.</summary>
    public void Start(RunClock clock, MeasureWindow window)
    {
        StartNanoseconds = clock.Nanoseconds; // a thread that is late to start is late to send
        var thread = new Thread(() => Run(clock, window)) { IsBackground = true, Name = "Pacer" };
        thread.Start();
    }

    private void Run(RunClock clock, MeasureWindow window)
    {
        try
        {
            for (long k = 0; ; k++)
            {
                (int client, long after) = plan[k];
                long planned = StartNanoseconds + after;
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

                if (send(client, planned))
                {
                    Volatile.Write(ref _sent, _sent + 1);
                    if (window.Contains(planned))
                    {
                        Lag.Record(now - planned);
                    }
                }
            }
        }
        catch (Exception e)
        {
            _stopped.SetException(e); // a fault of the load: the run reports it
            return;
        }

        _stopped.SetResult();
    }
}

/// <summary>Sleeps for parts of a millisecond without occupying a processor, where the system supports it.</summary>
/// <remarks>
/// <see cref="Thread.Sleep(int)"/> counts in milliseconds. Latency counts from the planned time, so every latency would contain that error.
/// nanosleep wakes about 60 µs late on Linux. On Windows the error is a millisecond or more, which send_lag_us shows.
/// </remarks>
internal static class PreciseSleep
{
    private static readonly bool s_hasNanosleep = !OperatingSystem.IsWindows();

    public static void For(long nanoseconds)
    {
        if (nanoseconds <= 0)
        {
            return;
        }

        if (s_hasNanosleep)
        {
            var time = new TimeSpec { Seconds = (nint)(nanoseconds / 1_000_000_000), Nanoseconds = (nint)(nanoseconds % 1_000_000_000) };
            _ = Nanosleep(in time, 0); // a signal may wake it early: the caller reads the clock again
        }
        else
        {
            Thread.Sleep(TimeSpan.FromMicroseconds(Math.Max(1000, nanoseconds / 1000d)));
        }
    }

    [DllImport("libc", EntryPoint = "nanosleep")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Nanosleep(in TimeSpec request, nint remaining);

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}

/// <summary>The times at which each client sends: at a fixed rate, with a random phase. The same seed makes the same plan.</summary>
/// <remarks>
/// All clients have the same period, so they take turns in the order of their phases: the k-th message of the run is that of client
/// k mod clients in this order, in period k div clients. No queue of times is needed.
/// </remarks>
internal sealed class PacingPlan
{
    private readonly int[] _clients; // by phase
    private readonly double[] _phases; // nanoseconds
    private readonly double _period;

    /// <param name="messagesPerSecond">Messages per second of each client, more than 0.</param>
    public PacingPlan(int clients, double messagesPerSecond, int seed)
    {
        _period = 1e9 / messagesPerSecond;
        var random = new Random(seed);
        _clients = Enumerable.Range(0, clients).ToArray();
        _phases = _clients.Select(_ => random.NextDouble() * _period).ToArray();
        Array.Sort(_phases, _clients);
    }

    /// <summary>The client that sends the run's k-th message, and the time of that since the start of the load.</summary>
    public (int Client, long Nanoseconds) this[long k]
    {
        get
        {
            (long period, long turn) = Math.DivRem(k, _clients.Length);
            return (_clients[turn], (long)(_phases[turn] + (period * _period)));
        }
    }
}

/// <summary>Whether the load itself kept up with its plan. A run whose load was late is invalid.</summary>
internal static class GeneratorLag
{
    /// <summary>Adds <c>send_lag_us</c>, <c>valid</c> and <c>invalid_because</c> to a report.</summary>
    public static void Write(JsonObject report, LatencySummary lag, TimeSpan limit)
    {
        string? problem = lag.P99Microseconds > limit.TotalMicroseconds
            ? $"the load fell behind its plan: p99 of its lag {lag.P99Microseconds / 1000:0.#} ms, "
                + $"allowed {limit.TotalMilliseconds:0.###} ms"
            : null;
        report["send_lag_us"] = JsonFigures.Latency(lag);
        report["valid"] = problem is null;
        report["invalid_because"] = problem;
    }
}
