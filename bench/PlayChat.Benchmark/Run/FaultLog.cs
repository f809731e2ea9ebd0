namespace PlayChat.Benchmark.Run;

/// <summary>Counts the faults of all connections and keeps the first few descriptions. Thread-safe.</summary>
internal sealed class FaultLog
{
    private const int MaxTexts = 5;

    private readonly object _gate = new();
    private readonly List<string> _texts = []; // guarded by _gate
    private long _count;
    private volatile bool _closed;

    public long Count => Interlocked.Read(ref _count);

    /// <summary>The first few descriptions.</summary>
    public IReadOnlyList<string> Texts
    {
        get
        {
            lock (_gate)
            {
                return [.. _texts];
            }
        }
    }

    public void Add(string text)
    {
        if (_closed)
        {
            return;
        }

        Interlocked.Increment(ref _count);
        lock (_gate)
        {
            if (_texts.Count < MaxTexts)
            {
                _texts.Add(text);
            }
        }
    }

    /// <summary>
    /// Stops counting: from now on connections are closed on purpose, or the server was interrupted together with the load.
    /// </summary>
    public void Close() => _closed = true;
}
