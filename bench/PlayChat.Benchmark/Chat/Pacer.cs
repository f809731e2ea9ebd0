using PlayChat.Benchmark.Run;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Benchmark.Chat;

/// <summary>The one thread that sends: it follows the plan, and keeps how far behind it was.</summary>
internal sealed class Pacer(PacingPlan plan, PayloadMix mix, int seed, IReadOnlyList<IPacedSender> bots)
{
    // How late an interrupted run may notice that it is over.
    private const long LongestSleep = 50_000_000;

    private readonly TaskCompletionSource _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _sent;

    /// <summary>Messages sent, in all phases.</summary>
    public long Sent => Volatile.Read(ref _sent);

    /// <summary>Planned to real time of sending, of what was measured. To be read when the thread has stopped.</summary>
    public LatencyHistogram Lag { get; } = new();

    /// <summary>Completes when nothing is sent any more.</summary>
    public Task Stopped => _stopped.Task;

    /// <summary>Begins. Once.</summary>
    /// <param name="clock">The run's clock.</param>
    /// <param name="window">Its end is the end of sending.</param>
    public void Start(RunClock clock, MeasureWindow window)
    {
        long start = clock.Nanoseconds; // a thread that is late to start is late to send
        var thread = new Thread(() => Run(clock, window, start)) { IsBackground = true, Name = "Pacer" };
        thread.Start();
    }

    private void Run(RunClock clock, MeasureWindow window, long start)
    {
        var random = new Random(seed);
        try
        {
            for (long k = 0; ; k++)
            {
                (int client, long after) = plan[k];
                long planned = start + after;
                int bytes = mix.Next(random);
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

                if (bots[client].Send(planned, bytes))
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
            _stopped.SetException(e); // a fault of ours: the run reports it
            return;
        }

        _stopped.SetResult();
    }
}
