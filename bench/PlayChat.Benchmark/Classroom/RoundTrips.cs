using System.Text.Json.Nodes;
using PlayChat.Benchmark.Reports;

namespace PlayChat.Benchmark.Classroom;

/// <summary>The observer's own round trips. Recorded by its loop alone, read when that is over.</summary>
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
