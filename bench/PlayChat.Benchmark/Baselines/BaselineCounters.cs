namespace PlayChat.Benchmark.Baselines;

/// <summary>
/// What a baseline server counts: a few interlocked additions for each read and each send, none for a message. Thread-safe.
/// </summary>
internal sealed class BaselineCounters
{
    public long Accepted;
    public long Closed;
    public long Receives;
    public long BytesReceived;
    public long FramesReceived;
    public long Sends; // 0 where the server does not see them (kestrel)
    public long BytesSent;
    public long FramesSent;
    public long Deliveries;
    public long SlowConsumers; // connections closed because too much waited for them

    public void OnAccepted() => Interlocked.Increment(ref Accepted);

    public void OnClosed() => Interlocked.Increment(ref Closed);

    public void OnSlowConsumer() => Interlocked.Increment(ref SlowConsumers);

    public void OnReceived(long bytes, int frames)
    {
        Interlocked.Increment(ref Receives);
        Interlocked.Add(ref BytesReceived, bytes);
        Interlocked.Add(ref FramesReceived, frames);
    }

    public void OnSent(long bytes, int operations = 1)
    {
        Interlocked.Add(ref Sends, operations);
        Interlocked.Add(ref BytesSent, bytes);
    }

    public void OnEchoed(int frames) => Interlocked.Add(ref FramesSent, frames);

    public void OnDelivered(long deliveries)
    {
        Interlocked.Add(ref FramesSent, deliveries);
        Interlocked.Add(ref Deliveries, deliveries);
    }
}
