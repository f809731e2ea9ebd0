namespace PlayChat.Benchmark.Run;

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
