using PlayChat.Core.Diagnostics;

namespace PlayChat.Benchmark.Fanout;

/// <summary>The latency of measured deliveries, by room. Thread-safe.</summary>
internal sealed class RoomLatencies
{
    // A recorder takes 35 KB a processor: of more rooms than this so many are followed on their own, evenly chosen.
    private const int MaxRooms = 64;

    private readonly int _rooms;
    private readonly LatencyRecorder[] _recorders;
    private readonly LatencyRecorder _others = new();

    /// <param name="rooms">How many there are.</param>
    public RoomLatencies(int rooms)
    {
        _rooms = rooms;
        _recorders = Enumerable.Range(0, Math.Min(rooms, MaxRooms)).Select(static _ => new LatencyRecorder()).ToArray();
    }

    /// <summary>Where a room's members record.</summary>
    public LatencyRecorder Of(int room)
    {
        int place = (int)((long)room * _recorders.Length / _rooms);
        return RoomAt(place) == room ? _recorders[place] : _others;
    }

    /// <summary>Of all rooms, so far; the reader's own.</summary>
    public LatencyHistogram Snapshot()
    {
        LatencyHistogram sum = _others.Snapshot();
        foreach (LatencyRecorder recorder in _recorders)
        {
            sum.Add(recorder.Snapshot());
        }

        return sum;
    }

    /// <summary>The p99 of each room that is followed and has heard anything, the slowest last.</summary>
    public IReadOnlyList<(int Room, double P99Microseconds)> RankByP99() => _recorders
        .Select((recorder, place) => (Room: RoomAt(place), Latency: recorder.Snapshot()))
        .Where(static pair => pair.Latency.Count > 0)
        .Select(static pair => (pair.Room, pair.Latency.GetPercentileNanoseconds(99) / 1000d))
        .OrderBy(static pair => pair.Item2)
        .ToArray();

    // The first room of those that share a place.
    private int RoomAt(int place) => (int)((((long)place * _rooms) + _recorders.Length - 1) / _recorders.Length);
}
