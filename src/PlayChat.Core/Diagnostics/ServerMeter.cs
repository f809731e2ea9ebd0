using System.Diagnostics.Metrics;
using System.Globalization;

namespace PlayChat.Core.Diagnostics;

/// <summary>A server's instruments. They only read what is counted anyway, when somebody collects.</summary>
internal sealed class ServerMeter : IDisposable
{
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
        CreateConnectionInstruments();
        CreateTrafficInstruments();
        CreateRoomInstruments();
        CreateBufferInstruments();
        CreateTroubleInstruments();
    }

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
        Count(PlayChatMeter.ConnectionsAccepted, Counter.ConnectionsAccepted, "{connection}", "Connections that were accepted.");
        Count(PlayChatMeter.ConnectionsRefused, Counter.ConnectionsRefused, "{connection}", "Connections that were turned away at the door.");
        _meter.CreateObservableCounter(PlayChatMeter.ConnectionsClosed, ReadCloses, "{connection}", "Connections that have ended, by reason.");
        _meter.CreateObservableUpDownCounter(
            PlayChatMeter.SessionsActive,
            () => Level(_metrics.Read(Counter.SessionsClosed), Counter.SessionsOpened),
            "{session}", "Sessions that are open.");
        Count(PlayChatMeter.SessionsOpened, Counter.SessionsOpened, "{session}", "Sessions that began.");
    }

    private void CreateTrafficInstruments()
    {
        Count(PlayChatMeter.IoReceives, Counter.Receives, "{operation}", "Receive operations that moved bytes.");
        Count(PlayChatMeter.IoSends, Counter.Sends, "{operation}", "Send operations that moved bytes.");
        Count(PlayChatMeter.BytesReceived, Counter.BytesReceived, "By", "Bytes received, without what TLS adds.");
        Count(PlayChatMeter.BytesSent, Counter.BytesSent, "By", "Bytes sent, without what TLS adds.");
        Count(PlayChatMeter.FramesReceived, Counter.FramesReceived, "{frame}", "Frames received.");
        Count(PlayChatMeter.FramesSent, Counter.FramesSent, "{frame}", "Frames sent, deliveries of broadcasts included.");
        Count(PlayChatMeter.FramesDropped, Counter.FramesDropped, "{frame}", "Frames that could not be sent.");
        Count(PlayChatMeter.FramesReplaced, Counter.FramesReplaced, "{frame}", "Frames replaced by a newer one of the same key while they waited for a slow peer.");
        Count(PlayChatMeter.FramesSkipped, Counter.FramesSkipped, "{frame}", "Frames dropped, as they may be, because the peer was behind.");
        Count(PlayChatMeter.BroadcastDeliveries, Counter.Deliveries, "{frame}", "Frames that a broadcast gave to a member of a room.");
        _meter.CreateObservableGauge(
            PlayChatMeter.MessageDuration, ReadDurations, "s", "From receipt of a frame to the hand-over of what it caused to the sockets.");
    }

    private void CreateRoomInstruments()
    {
        _meter.CreateObservableUpDownCounter(
            PlayChatMeter.RoomsActive, () => Level(_metrics.Read(Counter.RoomsRemoved), Counter.RoomsCreated), "{room}", "Rooms that exist.");
        Count(PlayChatMeter.RoomsCreated, Counter.RoomsCreated, "{room}", "Rooms that were made.");
        Count(PlayChatMeter.RoomJobsEnqueued, Counter.JobsEnqueued, "{job}", "Items posted to rooms.");
        Count(PlayChatMeter.RoomJobsExecuted, Counter.JobsExecuted, "{job}", "Items that rooms have executed.");
        Count(PlayChatMeter.RoomJobsRefused, Counter.JobsRefused, "{job}", "Items that rooms refused.");
        _meter.CreateObservableGauge(PlayChatMeter.RoomQueuePeak, () => _window.Read().QueuePeak, "{job}", "Deepest room queue in the last window.");
        Count(PlayChatMeter.RoomTicks, Counter.RoomTicks, "{tick}", "Ticks that rooms have run.");
        Count(PlayChatMeter.RoomTicksMissed, Counter.RoomTicksMissed, "{tick}", "Ticks that could not run before the next was due.");
        _meter.CreateObservableGauge(
            PlayChatMeter.RoomTickDrift, () => Quantiles(_metrics.ReadTickDrift()), "s", "From when a room's tick was due to when it ran.");
    }

    private void CreateBufferInstruments()
    {
        _meter.CreateObservableUpDownCounter(
            PlayChatMeter.SendBufferInUse, () => _metrics.SendBuffersInUse, "{segment}", "Pooled segments that wait in outbound queues.");
        _meter.CreateObservableGauge(
            PlayChatMeter.SendBufferPeak, () => _window.Read().SendBuffersPeak, "{segment}", "The most that waited at one time in the last window.");
        Count(PlayChatMeter.SendBufferPushes, Counter.SendBufferPushes, "{segment}", "Pooled segments put in outbound queues.");
        Count(PlayChatMeter.SendBufferPops, Counter.SendBufferPops, "{segment}", "Pooled segments that left outbound queues.");
        _meter.CreateObservableUpDownCounter(PlayChatMeter.PoolInUse, () => _metrics.ReadPools().InUse, "{buffer}", "Pooled buffers that are rented.");
        _meter.CreateObservableGauge(
            PlayChatMeter.PoolPeak, () => _window.Read().PoolPeak, "{buffer}", "The most that were rented at one time in the last window.");
        _meter.CreateObservableCounter(PlayChatMeter.PoolRents, () => _metrics.ReadPools().Rents, "{buffer}", "Buffers rented.");
        _meter.CreateObservableCounter(PlayChatMeter.PoolReturns, () => _metrics.ReadPools().Returns, "{buffer}", "Buffers returned.");
        _meter.CreateObservableCounter(PlayChatMeter.PoolReuses, () => _metrics.ReadPools().Reuses, "{buffer}", "Buffers rented without new memory.");
    }

    private void CreateTroubleInstruments()
    {
        Count(PlayChatMeter.SlowConsumers, Counter.SlowConsumers, "{event}", "A peer's outbound bound was reached.");
        Count(PlayChatMeter.ReadPauses, Counter.ReadPauses, "{event}", "Reading from a peer paused.");
        Count(PlayChatMeter.HandlerFaults, Counter.HandlerFaults, "{fault}", "Handlers that threw.");
        Count(PlayChatMeter.PacketsUnknown, Counter.UnknownPackets, "{packet}", "Packets whose id nothing handles.");
        Count(PlayChatMeter.PacketsRateLimited, Counter.RateLimitedPackets, "{packet}", "Packets that a rate limit refused.");
        Count(PlayChatMeter.AnswersDropped, Counter.AnswersDropped, "{packet}", "Answers for which nobody waited (any more).");
        Count(PlayChatMeter.ProtocolViolations, Counter.ProtocolViolations, "{frame}", "Frames that broke a rule of their format or protocol.");
    }

    private void Count(string name, Counter counter, string unit, string description) =>
        _meter.CreateObservableCounter(name, () => _metrics.Read(counter), unit, description);

    // What has ended is read first, by the caller, so that what begins and ends in between cannot make the level negative.
    private long Level(long ended, Counter begun) => _metrics.Read(begun) - ended;

    private IEnumerable<Measurement<long>> ReadCloses()
    {
        long[] closes = _metrics.ReadCloses();
        for (int i = 0; i < closes.Length; i++)
        {
            if (closes[i] > 0)
            {
                yield return new Measurement<long>(
                    closes[i], new KeyValuePair<string, object?>("close_reason", KpiKeys.OfCloseReason((CloseReason)i)));
            }
        }
    }

    private IEnumerable<Measurement<double>> ReadDurations() => Quantiles(_window.Read().Latency);

    private static IEnumerable<Measurement<double>> Quantiles(LatencySummary? latency) => latency is null or { Count: 0 }
        ? []
        : [
            Quantile(0.5, latency.P50Microseconds),
            Quantile(0.9, latency.P90Microseconds),
            Quantile(0.99, latency.P99Microseconds),
            Quantile(0.999, latency.P999Microseconds),
            Quantile(1, latency.MaxMicroseconds),
        ];

    private static Measurement<double> Quantile(double quantile, double microseconds) => new(
        microseconds / 1_000_000, new KeyValuePair<string, object?>("quantile", quantile.ToString(CultureInfo.InvariantCulture)));
}
