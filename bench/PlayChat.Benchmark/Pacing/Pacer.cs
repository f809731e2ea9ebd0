namespace PlayChat.Benchmark.Pacing;

/// <summary>Sends by a plan from one thread, and records how late it was.</summary>
/// <param name="send">
/// Called for each message in the plan's order, not before its time, with the client, the planned time and the present time. It says
/// whether the message was sent.
/// </param>
internal sealed class Pacer(PacingPlan plan, Func<int, long, long, bool> send)
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

                if (send(client, planned, now))
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
