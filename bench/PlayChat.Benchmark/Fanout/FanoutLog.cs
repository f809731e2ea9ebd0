namespace PlayChat.Benchmark.Fanout;

/// <summary>Collects the deliveries of all receivers: which were late, when the last member had each message, how rooms differ.</summary>
internal sealed class FanoutLog(ChatRoster roster, TimeSpan late)
{
    private const int MaxNamed = 20;
    private static readonly JsonSerializerOptions s_json = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower };

    public long LateNanoseconds { get; } = (long)(late.TotalMicroseconds * 1000);

    public RoomLatencies Rooms { get; } = new(roster.Rooms);

    public LatencyRecorder Unmeasured { get; } = new();

    public MessageArrivals Arrivals { get; } = new(roster);

    /// <summary>The object <c>fanout</c> of a report. Call it when the run is over.</summary>
    /// <param name="sentBy">How many messages a client has sent, in all phases.</param>
    public JsonObject ToJson(long expected, IReadOnlyList<DeliveryCounter> receivers, Func<int, int> sentBy)
    {
        IReadOnlyList<(int Room, double P99Microseconds)> ranking = Rooms.RankByP99();
        FigureRange? rooms = FigureRange.Of(ranking.Select(static room => room.P99Microseconds));
        return new JsonObject
        {
            ["expected"] = expected,
            ["delivered"] = receivers.Sum(static receiver => receiver.Measured),
            ["late"] = receivers.Sum(static receiver => receiver.Late),
            ["late_limit_ms"] = JsonFigures.Round(LateNanoseconds / 1e6),
            ["twice"] = receivers.Sum(static receiver => receiver.Duplicated),
            ["out_of_order"] = receivers.Sum(static receiver => receiver.Reordered),
            ["last_member_us"] = JsonFigures.Latency(Arrivals.LastMember),
            ["last_member_one_in"] = Arrivals.OneIn,
            ["median_room_p99_us"] = JsonFigures.Round(rooms?.Median),
            ["slowest_room_p99_us"] = JsonFigures.Round(rooms?.Max),
            ["slowest_room"] = ranking.Count == 0 ? null : ranking[^1].Room,
            ["slowest_by_median"] = JsonFigures.Round(rooms?.Max / rooms?.Median),
            ["missing"] = JsonSerializer.SerializeToNode(FindMissing(receivers, sentBy), s_json),
        };
    }

    /// <summary>The first few deliveries that never arrived. Call it when the run is over.</summary>
    public static IEnumerable<MissingDelivery> FindMissing(IReadOnlyList<DeliveryCounter> receivers, Func<int, int> sentBy) =>
        receivers.SelectMany(receiver => receiver.FindMissing(sentBy)).Take(MaxNamed);
}

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
        Array.ForEach(_recorders, recorder => sum.Add(recorder.Snapshot()));
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
