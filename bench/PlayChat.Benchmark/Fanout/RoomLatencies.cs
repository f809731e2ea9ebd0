namespace PlayChat.Benchmark.Fanout;

/// <summary>The latency of measured deliveries, by room. Thread-safe.</summary>
internal sealed class RoomLatencies
{
    // A recorder takes 35 KB per processor. Of more rooms than this, an even selection has recorders of its own.
    private const int MaxRooms = 64;

    private readonly int _rooms;
    private readonly LatencyRecorder[] _recorders;
    private readonly LatencyRecorder _others = new();

    public RoomLatencies(int rooms)
    {
        _rooms = rooms;
        _recorders = Enumerable.Range(0, Math.Min(rooms, MaxRooms)).Select(static _ => new LatencyRecorder()).ToArray();
    }

    /// <summary>The recorder of a room's members.</summary>
    public LatencyRecorder Of(int room)
    {
        int place = (int)((long)room * _recorders.Length / _rooms);
        return RoomAt(place) == room ? _recorders[place] : _others;
    }

    /// <summary>The latency of all rooms so far; the caller owns the result.</summary>
    public LatencyHistogram Snapshot()
    {
        LatencyHistogram sum = _others.Snapshot();
        foreach (LatencyRecorder recorder in _recorders)
        {
            sum.Add(recorder.Snapshot());
        }

        return sum;
    }

    /// <summary>The p99 of each room with its own recorder and at least one delivery, the slowest last.</summary>
    public IReadOnlyList<(int Room, double P99Microseconds)> RankByP99() => _recorders
        .Select((recorder, place) => (Room: RoomAt(place), Latency: recorder.Snapshot()))
        .Where(static pair => pair.Latency.Count > 0)
        .Select(static pair => (pair.Room, pair.Latency.GetPercentileNanoseconds(99) / 1000d))
        .OrderBy(static pair => pair.Item2)
        .ToArray();

    // The first of the rooms that share a place.
    private int RoomAt(int place) => (int)((((long)place * _rooms) + _recorders.Length - 1) / _recorders.Length);
}
