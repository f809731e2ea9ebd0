namespace PlayChat.Benchmark.Run;

/// <summary>Counts what went wrong on any connection and keeps the first few descriptions. Thread-safe.</summary>
internal sealed class FaultLog
{
    private const int MaxTexts = 5;

    private readonly object _gate = new();
    private readonly List<string> _texts = []; // guarded by _gate
    private long _count;
    private volatile bool _closed;

    public long Count => Interlocked.Read(ref _count);

    /// <summary>The first few, for a person.</summary>
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

    /// <summary>From now on nothing counts: the connections are being closed on purpose, or the server was interrupted together with us.</summary>
    public void Close() => _closed = true;
}
