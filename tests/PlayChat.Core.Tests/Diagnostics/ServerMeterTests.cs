using System.Diagnostics;
using System.Diagnostics.Metrics;
using PlayChat.Core.Buffers;
using PlayChat.Core.Diagnostics;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Diagnostics;

public sealed class ServerMeterTests
{
    [Fact]
    public void Every_instrument_is_documented()
    {
        string reference = Repository.Read("docs/reference/metrics.md");
        using var factory = new RecordingFactory();
        using var metrics = new ServerMetrics(factory);

        List<Instrument> instruments = Instruments(factory);

        Assert.Equal("PlayChat.Core", factory.Meter!.Name);
        Assert.Equal(instruments.Count, instruments.DistinctBy(static instrument => instrument.Name, StringComparer.Ordinal).Count());
        Assert.All(instruments, instrument =>
        {
            Assert.Contains($"| `{instrument.Name.Replace('.', '_')}", reference, StringComparison.Ordinal);
            Assert.Matches("^playchat(\\.[a-z_]+)+$", instrument.Name);
            Assert.Equal(instrument.Name is not (PlayChatMeter.PacketDuration or PlayChatMeter.PacketErrors), instrument.IsObservable);
            Assert.False(string.IsNullOrEmpty(instrument.Unit));
            Assert.False(string.IsNullOrEmpty(instrument.Description));
        });
    }

    [Fact]
    public void The_instruments_tell_what_was_counted()
    {
        using var factory = new RecordingFactory();
        using var metrics = new ServerMetrics(factory);
        metrics.AddPool(static () => new PoolStatistics(2, 3, 10, 8, 6));
        metrics.Add(Counter.ConnectionsAccepted, 3);
        metrics.Add(Counter.BytesSent, 1000);
        metrics.Add(Counter.Deliveries, 50);
        metrics.PushSendBuffers(4);
        metrics.CountClose(CloseReason.IdleTimeout);

        Dictionary<string, double> values = Collect(factory);

        Assert.Equal(2, values[PlayChatMeter.ConnectionsActive]);
        Assert.Equal(3, values["playchat.connections.accepted"]);
        Assert.Equal(1, values[PlayChatMeter.ConnectionsClosed + " close_reason=idle_timeout"]);
        Assert.Equal(1000, values["playchat.bytes.sent"]);
        Assert.Equal(50, values["playchat.broadcast.deliveries"]);
        Assert.Equal(4, values[PlayChatMeter.SendBufferInUse]);
        Assert.Equal(2, values[PlayChatMeter.PoolInUse]);
        Assert.Equal(6, values[PlayChatMeter.PoolReuses]);
    }

    [Fact]
    public void Peaks_and_durations_are_those_of_the_last_window_for_every_collector()
    {
        var clock = new ManualTimeProvider();
        using var factory = new RecordingFactory();
        using var metrics = new ServerMetrics(factory, clock);
        Collect(factory); // begins the first window
        metrics.ObserveQueueDepth(12);
        metrics.RecordLatency(clock.TimestampFrequency / 100, 5);
        clock.Advance(TimeSpan.FromSeconds(15));

        Dictionary<string, double> first = Collect(factory);
        clock.Advance(TimeSpan.FromSeconds(5));
        Dictionary<string, double> second = Collect(factory);
        clock.Advance(TimeSpan.FromSeconds(5));
        Dictionary<string, double> afterwards = Collect(factory);

        Assert.Equal(12, first[PlayChatMeter.RoomQueuePeak]);
        Assert.Equal(0.01, first[PlayChatMeter.MessageDuration + " quantile=0.99"], 0.0001);
        Assert.Equivalent(first, second, strict: true);
        Assert.Equal(0, afterwards[PlayChatMeter.RoomQueuePeak]);
        Assert.DoesNotContain(afterwards, static pair => pair.Key.StartsWith(PlayChatMeter.MessageDuration, StringComparison.Ordinal));
    }

    [Fact]
    public void A_meter_of_its_own_ends_with_the_metrics()
    {
        var metrics = new ServerMetrics();
        metrics.Add(Counter.Receives, 987_654_321);
        using var listener = new MeterListener();
        bool ours = false;
        listener.InstrumentPublished = static (instrument, l) =>
        {
            if (instrument.Name == "playchat.io.receives")
            {
                l.EnableMeasurementEvents(instrument, instrument);
            }
        };
        // Other tests' servers have instruments of the same name: the figure tells which is ours.
        listener.SetMeasurementEventCallback<long>((_, value, _, _) => ours |= value == 987_654_321);
        listener.Start();
        listener.RecordObservableInstruments();
        Assert.True(ours);
        ours = false;

        metrics.Dispose();

        listener.RecordObservableInstruments();
        Assert.False(ours);
    }

    private static List<Instrument> Instruments(RecordingFactory factory)
    {
        var instruments = new List<Instrument>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (instrument.Meter == factory.Meter)
                {
                    instruments.Add(instrument);
                }
            },
        };
        listener.Start();
        return instruments;
    }

    private static Dictionary<string, double> Collect(RecordingFactory factory)
    {
        var values = new Dictionary<string, double>(StringComparer.Ordinal);
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, l) =>
            {
                if (instrument.Meter == factory.Meter)
                {
                    l.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => values.Add(Key(instrument, tags), value));
        listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => values.Add(Key(instrument, tags), value));
        listener.Start();
        listener.RecordObservableInstruments();
        return values;
    }

    private static string Key(Instrument instrument, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        string key = instrument.Name;
        foreach (KeyValuePair<string, object?> tag in tags)
        {
            key += $" {tag.Key}={tag.Value}";
        }

        return key;
    }

    private sealed class RecordingFactory : IMeterFactory
    {
        internal Meter? Meter { get; private set; }

        public Meter Create(MeterOptions options) => Meter = new Meter(options);

        public void Dispose() => Meter?.Dispose();
    }
}
