namespace PlayChat.Benchmark.Echo;

internal abstract class EchoLink(EchoLoad load)
{
    // Written by the link's own threads; the counters may be read from anywhere.
    protected long _sent;
    protected long _received;
    protected long _measured;
    protected long _gatingViolations;
    private int _done;

    public virtual long Sent => Volatile.Read(ref _sent);

    public virtual long Planned => Sent;

    /// <summary>Requests sent although the window was full: counted by what came and went, not by the slots that prevent it.</summary>
    public long GatingViolations => Volatile.Read(ref _gatingViolations);

    public long Received => Volatile.Read(ref _received);

    /// <summary>Right answers received while it was measured.</summary>
    public long Measured => Volatile.Read(ref _measured);

    protected EchoLoad Load { get; } = load;

    /// <summary>Logs in, where the server wants that before an echo.</summary>
    public abstract Task LoginAsync(Connection connection, string name, CancellationToken cancellationToken);

    /// <summary>The load begins.</summary>
    /// <param name="connection">Its connection. A link of another library has one of its own, and does not look at this.</param>
    public abstract void Start(Connection connection);

    /// <summary>Handles an answer, on the connection's receive loop. Not called where the library finds the request of an answer.</summary>
    public virtual void OnFrame(Connection connection, Frame frame) { }

    /// <summary>Ends the connection, where nothing else does.</summary>
    public virtual ValueTask CloseAsync() => ValueTask.CompletedTask;

    public virtual void OnClosed(CloseReason reason)
    {
        if (Volatile.Read(ref _done) == 0)
        {
            Load.Faults.Add($"A connection ended early: {reason}.");
        }

        Finish();
    }

    /// <summary>Nothing is outstanding, and nothing will be sent any more.</summary>
    protected void Finish()
    {
        if (Interlocked.Exchange(ref _done, 1) == 0)
        {
            Load.OnDone();
        }
    }
}

/// <summary>What all connections of an echo run share. Thread-safe.</summary>
internal sealed class EchoLoad(EchoSettings settings)
{
    private readonly TaskCompletionSource _answered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _open = settings.Ccu;

    public EchoSettings Settings { get; } = settings;

    public EchoCodec Codec { get; } = new(settings);

    public FaultLog Faults { get; } = new();

    /// <summary>
    /// Latency within the measuring: closed loop, of the answers that came then, from sending; open loop, of the requests planned then,
    /// from that time.
    /// </summary>
    public LatencyRecorder Measured { get; } = new();

    /// <summary>Open loop: of the same answers, from the real time of sending.</summary>
    public LatencyRecorder Uncorrected { get; } = new();

    public LatencyRecorder Unmeasured { get; } = new();

    public RunClock Clock { get; set; } = null!;

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
