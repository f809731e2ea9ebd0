using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Chat;

/// <summary>The one thread that follows a plan.</summary>
/// <param name="plan">Who sends when.</param>
/// <param name="due">Called for each message in the plan's order, not before its time: who sends, the planned time and the present one.</param>
internal sealed class PacerThread(PacingPlan plan, Action<int, long, long> due)
{
    // How late an interrupted run may notice that it is over.
    private const long LongestSleep = 50_000_000;

    private readonly TaskCompletionSource _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Begin of the plan on the run's clock, once it has started.</summary>
    public long StartNanoseconds { get; private set; }

    /// <summary>Completes when nothing is due any more, and fails when the thread does.</summary>
    public Task Stopped => _stopped.Task;

    /// <summary>Begins. Once.</summary>
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
            _stopped.SetException(e); // a fault of ours: the run reports it
            return;
        }

        _stopped.SetResult();
    }
}
