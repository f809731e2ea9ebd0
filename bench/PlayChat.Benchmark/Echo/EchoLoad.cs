using PlayChat.Benchmark.Run;
using PlayChat.Kpi;

namespace PlayChat.Benchmark.Echo;

/// <summary>What all connections of an echo run share. Thread-safe.</summary>
internal sealed class EchoLoad(EchoSettings settings, EchoCodec codec, FaultLog faults)
{
    private readonly TaskCompletionSource _answered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _open = settings.Ccu;

    public EchoSettings Settings { get; } = settings;

    public EchoCodec Codec { get; } = codec;

    public FaultLog Faults { get; } = faults;

    /// <summary>
    /// Latency within the measuring: closed loop, of the answers that came then, from sending; open loop, of the requests planned then,
    /// from that time.
    /// </summary>
    public LatencyRecorder Measured { get; } = new();

    /// <summary>Open loop: of the same answers, from the real time of sending.</summary>
    public LatencyRecorder Uncorrected { get; } = new();

    /// <summary>Of all others.</summary>
    public LatencyRecorder Unmeasured { get; } = new();

    /// <summary>Set when the load begins.</summary>
    public RunClock Clock { get; set; } = null!;

    /// <summary>Set when the load begins.</summary>
    public MeasureWindow Window { get; set; } = null!;

    /// <summary>Completes when no connection has anything outstanding, nor will have.</summary>
    public Task Answered => _answered.Task;

    /// <summary>Called once by each connection after its last answer, or when it has ended.</summary>
    public void OnDone()
    {
        if (Interlocked.Decrement(ref _open) == 0)
        {
            _answered.SetResult();
        }
    }
}
