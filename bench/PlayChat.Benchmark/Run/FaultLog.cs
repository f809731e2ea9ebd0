namespace PlayChat.Benchmark.Run;

/// <summary>Counts the faults of all connections and keeps the first few descriptions. Thread-safe.</summary>
internal sealed class FaultLog
{
    private const int MaxTexts = 5;

    private readonly ConcurrentQueue<string> _texts = new();
    private long _count;
    private volatile bool _closed;

    public long Count => Interlocked.Read(ref _count);

    public IReadOnlyList<string> Texts => [.. _texts];

    public void Add(string text)
    {
        if (!_closed && Interlocked.Increment(ref _count) <= MaxTexts)
        {
            _texts.Enqueue(text);
        }
    }

    /// <summary>Stops counting: from now on connections are closed on purpose, or the server was interrupted with the load.</summary>
    public void Close() => _closed = true;
}
