using System.Diagnostics.Metrics;
using System.Text.Json;

namespace PlayChat.Core.Diagnostics;

/// <summary>A server's instruments. A collector that reads them reads the counters that exist anyway.</summary>
internal sealed class ServerMeter : IDisposable
{
    // The values of the tag close_reason.
    private static readonly string[] s_closeReasons =
        Array.ConvertAll(Enum.GetNames<CloseReason>(), JsonNamingPolicy.SnakeCaseLower.ConvertName);

    private readonly ServerMetrics _metrics;
    private readonly Meter _meter;
    private readonly MeterWindow _window;
    private readonly bool _ownsMeter;

    internal ServerMeter(ServerMetrics metrics, IMeterFactory? factory)
    {
        _metrics = metrics;
        _window = new MeterWindow(metrics);
        _ownsMeter = factory is null;
        _meter = factory?.Create(PlayChatMeter.Name) ?? new Meter(PlayChatMeter.Name);
        foreach ((string name, Counter counter, string unit, string description) in CounterInstrument.All)
        {
            _meter.CreateObservableCounter(name, () => _metrics.Read(counter), unit, description);
        }

        Packets = new PacketMeter(_meter);
        CreateConnectionInstruments();
        CreateRoomInstruments();
        CreateBufferInstruments();
        _meter.CreateObservableGauge(
            PlayChatMeter.MessageDuration,
            () => Quantiles(_window.Latency),
            "s", "From receipt of a frame to the hand-over of what it caused to the sockets.");
    }

    /// <summary>The instruments of packet types.</summary>
    internal PacketMeter Packets { get; }

    public void Dispose()
    {
        if (_ownsMeter)
        {
            _meter.Dispose();
        }
    }

    private void CreateConnectionInstruments()
    {
        _meter.CreateObservableUpDownCounter(
            PlayChatMeter.ConnectionsActive,
            () => Level(_metrics.ReadCloses().Sum(), Counter.ConnectionsAccepted),
            "{connection}", "Connections that are open.");
        _meter.CreateObservableCounter(
            PlayChatMeter.ConnectionsClosed, ReadCloses, "{connection}", "Connections that have ended, by reason.");
        _meter.CreateObservableUpDownCounter(
            PlayChatMeter.SessionsActive,
            () => Level(_metrics.Read(Counter.SessionsClosed), Counter.SessionsOpened),
            "{session}", "Sessions that are open.");
        _meter.CreateObservableUpDownCounter(
            PlayChatMeter.SessionsAway,
            () => Level(_metrics.Read(Counter.SessionsNotAway), Counter.SessionsAway),
            "{session}", "Sessions whose connection broke and that may still resume.");
    }

    private void CreateRoomInstruments()
    {
        _meter.CreateObservableUpDownCounter(
            PlayChatMeter.RoomsActive,
            () => Level(_metrics.Read(Counter.RoomsRemoved), Counter.RoomsCreated),
            "{room}", "Rooms that exist.");
        _meter.CreateObservableGauge(
            PlayChatMeter.RoomQueuePeak, () => _window.Peaks.QueueDepth, "{job}", "Deepest room queue in the last window.");
        _meter.CreateObservableGauge(
            PlayChatMeter.RoomTickDrift, () => Quantiles(_metrics.ReadTickDrift()), "s", "From when a room's tick was due to when it ran.");
    }

    private void CreateBufferInstruments()
    {
        _meter.CreateObservableUpDownCounter(
            PlayChatMeter.SendBufferInUse, () => _metrics.SendBuffersInUse, "{segment}", "Pooled segments that wait in outbound queues.");
        _meter.CreateObservableGauge(
            PlayChatMeter.SendBufferPeak,
            () => _window.Peaks.SendBuffers,
            "{segment}", "The most that waited at one time in the last window.");
        _meter.CreateObservableUpDownCounter(
            PlayChatMeter.PoolInUse, () => _metrics.ReadPools().InUse, "{buffer}", "Pooled buffers that are rented.");
        _meter.CreateObservableGauge(
            PlayChatMeter.PoolPeak,
            () => _window.Peaks.PoolBuffers,
            "{buffer}", "The most that were rented at one time in the last window.");
        _meter.CreateObservableCounter(PlayChatMeter.PoolRents, () => _metrics.ReadPools().Rents, "{buffer}", "Buffers rented.");
        _meter.CreateObservableCounter(PlayChatMeter.PoolReturns, () => _metrics.ReadPools().Returns, "{buffer}", "Buffers returned.");
        _meter.CreateObservableCounter(
            PlayChatMeter.PoolReuses, () => _metrics.ReadPools().Reuses, "{buffer}", "Buffers rented without new memory.");
    }

    // What has ended is read first, by the caller, so that what begins and ends in between cannot make the level negative.
    private long Level(long ended, Counter begun) => _metrics.Read(begun) - ended;

    private IEnumerable<Measurement<long>> ReadCloses()
    {
        long[] closes = _metrics.ReadCloses();
        for (int i = 0; i < closes.Length; i++)
        {
            // Zeros too: a rate needs a value from before the first close.
            yield return new Measurement<long>(closes[i], new KeyValuePair<string, object?>("close_reason", s_closeReasons[i]));
        }
    }

    private static IEnumerable<Measurement<double>> Quantiles(LatencyBuckets? latency) => latency is null or { Count: 0 }
        ? []
        : [Quantile(latency, 0.5), Quantile(latency, 0.9), Quantile(latency, 0.99), Quantile(latency, 0.999), Quantile(latency, 1)];

    private static Measurement<double> Quantile(LatencyBuckets latency, double quantile) => new(
        latency.GetPercentileNanoseconds(100 * quantile) / 1e9,
        new KeyValuePair<string, object?>("quantile", quantile.ToString(CultureInfo.InvariantCulture)));
}
