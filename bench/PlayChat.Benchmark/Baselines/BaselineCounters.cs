namespace PlayChat.Benchmark.Baselines;

/// <summary>
/// What a baseline server counts: a few interlocked additions for each read and each send, none for a message. Thread-safe.
/// </summary>
internal sealed class BaselineCounters
{
    private long _accepted;
    private long _closed;
    private long _receives;
    private long _bytesReceived;
    private long _framesReceived;
    private long _sends;
    private long _bytesSent;
    private long _framesSent;
    private long _deliveries;
    private long _slowConsumers;

    public long Accepted => Interlocked.Read(ref _accepted);

    public long Closed => Interlocked.Read(ref _closed);

    public long Receives => Interlocked.Read(ref _receives);

    public long BytesReceived => Interlocked.Read(ref _bytesReceived);

    public long FramesReceived => Interlocked.Read(ref _framesReceived);

    /// <summary>Send operations; 0 where the server does not see them (kestrel).</summary>
    public long Sends => Interlocked.Read(ref _sends);

    public long BytesSent => Interlocked.Read(ref _bytesSent);

    public long FramesSent => Interlocked.Read(ref _framesSent);

    public long Deliveries => Interlocked.Read(ref _deliveries);

    /// <summary>Connections closed because too much waited for them.</summary>
    public long SlowConsumers => Interlocked.Read(ref _slowConsumers);

    public void OnAccepted() => Interlocked.Increment(ref _accepted);

    public void OnClosed() => Interlocked.Increment(ref _closed);

    public void OnSlowConsumer() => Interlocked.Increment(ref _slowConsumers);

    public void OnReceived(long bytes, int frames)
    {
        Interlocked.Increment(ref _receives);
        Interlocked.Add(ref _bytesReceived, bytes);
        Interlocked.Add(ref _framesReceived, frames);
    }

    public void OnSent(long bytes, int operations = 1)
    {
        Interlocked.Add(ref _sends, operations);
        Interlocked.Add(ref _bytesSent, bytes);
    }

    public void OnEchoed(int frames) => Interlocked.Add(ref _framesSent, frames);

    public void OnDelivered(long deliveries)
    {
        Interlocked.Add(ref _framesSent, deliveries);
        Interlocked.Add(ref _deliveries, deliveries);
    }
}
