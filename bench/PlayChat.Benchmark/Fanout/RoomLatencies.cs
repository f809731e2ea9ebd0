namespace PlayChat.Benchmark.Fanout;

internal sealed class RoomLatencies
{
    // A recorder takes 35 KB per processor. Of more rooms than this, only the first have recorders of their own.
    private const int MaxRooms = 64;

    private readonly LatencyRecorder[] _recorders; // by room; the last is that of all others

    public RoomLatencies(int rooms) =>
        _recorders = Enumerable.Range(0, Math.Min(rooms, MaxRooms) + 1).Select(static _ => new LatencyRecorder()).ToArray();

    public LatencyRecorder Of(int room) => _recorders[Math.Min(room, _recorders.Length - 1)];

    /// <summary>The latency of all rooms so far; the caller owns the result.</summary>
    public LatencyHistogram Snapshot()
    {
        var sum = new LatencyHistogram();
        foreach (LatencyRecorder recorder in _recorders)
        {
            sum.Add(recorder.Snapshot());
        }

        return sum;
    }

    /// <summary>The p99 of each room with its own recorder and at least one delivery, the slowest last.</summary>
    public IReadOnlyList<(int Room, double P99Microseconds)> RankByP99() => _recorders[..^1]
        .Select(static (recorder, room) => (Room: room, Latency: recorder.Snapshot()))
        .Where(static pair => pair.Latency.Count > 0)
        .Select(static pair => (pair.Room, pair.Latency.GetPercentileNanoseconds(99) / 1000d))
        .OrderBy(static pair => pair.Item2)
        .ToArray();
}
