using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Pacing;

/// <summary>The thread that follows a plan.</summary>
/// <param name="plan">The times at which each client sends.</param>
/// <param name="due">
/// Called for each message in the plan's order, not before its time, with the client, the planned time and the present time.
/// </param>
internal sealed class PacerThread(PacingPlan plan, Action<int, long, long> due)
{
    // An interrupted run notices its end after at most this time.
    private const long LongestSleep = 50_000_000;

    private readonly TaskCompletionSource _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The start of the plan on the run's clock, once <see cref="Start"/> was called.</summary>
    public long StartNanoseconds { get; private set; }

    /// <summary>Completes when no message is due any more, and fails when the thread fails.</summary>
    public Task Stopped => _stopped.Task;

    /// <summary>Starts the thread. Call it once.</summary>
    /// <param name="clock">The run's clock.</param>
    /// <param name="window">Its end is the end of the plan.</param>
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

                due(client, planned, now);
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
