namespace PlayChat.Benchmark.Crowds;

internal sealed class FanoutLoad
{
    /// <summary>Set when the load begins.</summary>
    public volatile MeasureWindow? Window;

    public FanoutLoad(FanoutSettings settings)
    {
        Roster = new ChatRoster(settings.Readers, settings.Rooms);
        Texts = new ChatTextCodec(settings.Seed);
        Log = new FanoutLog(Roster, settings.Late);
        Observer = settings.HasObserver ? settings.Clients : -1;
    }

    public FaultLog Faults { get; } = new();

    public ChatRoster Roster { get; }

    public ChatTextCodec Texts { get; }

    public FanoutLog Log { get; }

    public int Observer { get; }

    public RoundTrips RoundTrips { get; } = new();

    /// <summary>Set when the load begins, before the window.</summary>
    public RunClock Clock { get; set; } = null!;
}

/// <summary>A client of a crowd: it sends when the pacer says so, and counts what it receives.</summary>
internal abstract class FanoutLink(int index, FanoutLoad load)
{
    public int Index { get; } = index;

    public abstract DeliveryCounter Counter { get; }

    /// <summary>Whether the server serves it. Messages to a client that it never served are not expected.</summary>
    public virtual bool IsThere => true;

    public int Sent { get; private set; }

    /// <summary>Messages it sent that were planned during the measurement.</summary>
    public int MeasuredSent { get; private set; }

    protected FanoutLoad Load { get; } = load;

    /// <summary>Sends the next message. Only the pacer's thread calls it.</summary>
    /// <returns>False when the connection does not accept it.</returns>
    public bool Send(long plannedNanoseconds, int textBytes)
    {
        if (!TrySend(new ChatText(Index, Sent, plannedNanoseconds), textBytes))
        {
            return false;
        }

        Sent++;
        if (Load.Window!.Contains(plannedNanoseconds))
        {
            MeasuredSent++;
        }

        return true;
    }

    protected abstract bool TrySend(ChatText text, int textBytes);
}

/// <summary>The round trips of one connection. Only its receive loop records; read the result after that has ended.</summary>
internal sealed class RoundTrips
{
    private double _sum;
    private long _count;
    private long _min = long.MaxValue;
    private long _max;

    public void Add(long nanoseconds)
    {
        _sum += nanoseconds;
        _count++;
        _min = Math.Min(_min, nanoseconds);
        _max = Math.Max(_max, nanoseconds);
    }

    public JsonObject ToJson() => new()
    {
        ["sum_ms"] = JsonFigures.Round(_sum / 1e6),
        ["count"] = _count,
        ["max_ms"] = _count == 0 ? null : JsonFigures.Round(_max / 1e6),
        ["min_ms"] = _count == 0 ? null : JsonFigures.Round(_min / 1e6),
        ["average_ms"] = _count == 0 ? null : JsonFigures.Round(_sum / _count / 1e6),
    };
}
