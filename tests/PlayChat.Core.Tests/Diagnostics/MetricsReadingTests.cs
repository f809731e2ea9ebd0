using System.Diagnostics.Metrics;
using PlayChat.Core.Buffers;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Core.Tests.Diagnostics;

public sealed class MetricsReadingTests
{
    private readonly ManualTimeProvider _clock = new();
    private readonly ServerMetrics _metrics;

    public MetricsReadingTests() => _metrics = new ServerMetrics(meterFactory: null, _clock);

    [Fact]
    public void A_figure_is_that_of_its_instrument()
    {
        _metrics.AddPool(static () => new PoolStatistics(2, 3, 10, 8, 6));
        _metrics.Add(Counter.ConnectionsAccepted, 3);
        _metrics.CountClose(CloseReason.IdleTimeout);
        _metrics.Add(Counter.FramesSent, 70);
        _metrics.Add(Counter.RoomsCreated, 5);
        _metrics.Add(Counter.RoomsRemoved, 1);
        _metrics.PushSendBuffers(4);

        MetricsReading reading = _metrics.ReadAll();

        Assert.Equal(70, reading.Get("playchat.frames.sent"));
        Assert.Equal(3, reading.Get("playchat.connections.accepted"));
        Assert.Equal(2, reading.Get("playchat.connections.active"));
        Assert.Equal(4, reading.Get("playchat.rooms.active"));
        Assert.Equal(4, reading.Get("playchat.send_buffer.in_use"));
        Assert.Equal(10, reading.Get("playchat.pool.rents"));
        Assert.Equal(1, reading.GetCloses(CloseReason.IdleTimeout));
        Assert.Equal(0, reading.GetCloses(CloseReason.PeerReset));
    }

    [Fact]
    public void Every_instrument_without_tags_can_be_asked_for()
    {
        string[] tagged =
        [
            PlayChatMeter.ConnectionsClosed, PlayChatMeter.MessageDuration, PlayChatMeter.RoomTickDrift, PlayChatMeter.PacketsReceived,
            PlayChatMeter.PacketBytes, PlayChatMeter.PacketErrors, PlayChatMeter.PacketDuration,
        ];
        var names = new List<string>();
        using var factory = new OwnMeterFactory();
        using var metrics = new ServerMetrics(factory);
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (instrument.Meter == factory.Meter)
                {
                    names.Add(instrument.Name);
                }
            },
        };
        listener.Start();

        MetricsReading reading = metrics.ReadAll();

        Assert.All(names.Except(tagged, StringComparer.Ordinal), name => Assert.Equal(0, reading.Get(name)));
        Assert.All([.. tagged, "playchat.nothing"], name => Assert.Throws<ArgumentException>(() => reading.Get(name)));
        Assert.Throws<ArgumentOutOfRangeException>(() => reading.GetCloses((CloseReason)99));
    }

    [Fact]
    public void Peaks_are_those_since_the_reading_that_is_passed()
    {
        _metrics.ObserveQueueDepth(9);
        MetricsReading first = _metrics.ReadAll();
        _metrics.ObserveQueueDepth(4);
        _metrics.ReadAll(); // another reader's
        _metrics.ObserveQueueDepth(2);

        MetricsReading second = _metrics.ReadAll(first);

        Assert.Equal(9, first.Get("playchat.room.queue.peak"));
        Assert.Equal(4, second.Get("playchat.room.queue.peak"));
        Assert.Equal(9, _metrics.ReadAll().Get("playchat.room.queue.peak"));
        Assert.Equal(0, _metrics.ReadAll(_metrics.ReadAll()).Get("playchat.room.queue.peak"));
    }

    [Fact]
    public void Peaks_since_a_reading_that_is_too_old_are_those_since_the_start()
    {
        _metrics.ObserveQueueDepth(9);
        MetricsReading first = _metrics.ReadAll();
        _metrics.ObserveQueueDepth(2);
        for (int i = 1; i < PeakHistory.Capacity; i++)
        {
            _metrics.ReadAll();
        }

        Assert.Equal(2, _metrics.ReadAll(first).Get("playchat.room.queue.peak"));
        Assert.Equal(9, _metrics.ReadAll(first).Get("playchat.room.queue.peak"));
    }

    [Fact]
    public void Latency_is_read_as_counts_by_duration()
    {
        _metrics.RecordLatency(Ticks(milliseconds: 2), 3);

        MetricsReading reading = _metrics.ReadAll();

        Assert.Equal(2_000_000, reading.LatencyMaxNanoseconds);
        Assert.Equal((UInt128)6_000_000, reading.LatencySumNanoseconds);
        Assert.Equal([0, 0, 0, 3, 0, 0, 0], reading.LatencyClasses.ToArray());
        int bucket = reading.LatencyBuckets.IndexOf(3);
        int shift = (bucket / 128) - 1;
        long lowest = (128L + (bucket % 128)) << shift;
        Assert.InRange(2_000_000, lowest, lowest + (1L << shift) - 1);
    }

    [Fact]
    public void A_reading_of_another_server_is_refused()
    {
        using var other = new ServerMetrics();

        Assert.Throws<ArgumentException>(() => _metrics.ReadAll(other.ReadAll()));
    }

    [Fact]
    public void The_drift_of_ticks_is_missing_until_a_room_has_ticked()
    {
        MetricsReading before = _metrics.ReadAll();
        _metrics.RecordTick(Ticks(milliseconds: 5), missed: 0);

        MetricsReading after = _metrics.ReadAll();

        Assert.Null(before.TickDriftP99);
        Assert.Equal(5, after.TickDriftP99!.Value.TotalMilliseconds, 0.05);
    }

    private long Ticks(int milliseconds) => milliseconds * _clock.TimestampFrequency / 1000;

    private sealed class OwnMeterFactory : IMeterFactory
    {
        internal Meter? Meter { get; private set; }

        public Meter Create(MeterOptions options) => Meter = new Meter(options);

        public void Dispose() => Meter?.Dispose();
    }
}
