using System.Diagnostics;
using System.Diagnostics.Metrics;
using PlayChat.Storage.Diagnostics;

namespace PlayChat.Storage.Tests.Diagnostics;

public sealed class StorageMeterTests
{
    [Fact]
    public void Every_instrument_reads_the_stores_figures()
    {
        var metrics = new StorageMetrics();
        metrics.RecordAcquired(waitTicks: 5);
        metrics.RecordTimeout();
        metrics.RecordRetry();
        metrics.RecordRows(3);
        metrics.Of(StoreOperation.ReadChat).Record(7, failed: true);
        using var meter = new StorageMeter(metrics);
        Dictionary<string, double> seen = [];
        using var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == StorageMeter.MeterName)
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Note(seen, instrument, value, tags));
        listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Note(seen, instrument, value, tags));
        listener.Start();

        listener.RecordObservableInstruments();
        metrics.Of(StoreOperation.ReadRoom).Record(Stopwatch.Frequency, failed: false);

        Assert.Equal(
            [
                "connections.acquired=1", "connections.in_use=1", "connections.peak=1", "connections.timeouts=1",
                "operation.duration read_room=1", "operations read_chat=1",
                "operations.failures read_chat=1", "retries=1", "rows.written=3",
            ],
            seen.Where(static pair => pair.Value >= 1)
                .Select(static pair => FormattableString.Invariant($"{pair.Key}={pair.Value}")).Order(StringComparer.Ordinal),
            StringComparer.Ordinal);
        Assert.True(seen["connections.wait"] > 0);
    }

    private static void Note(
        Dictionary<string, double> seen, Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        string key = instrument.Name["playchat.db.".Length..] + (tags.Length > 0 ? $" {tags[0].Value}" : "");
        seen[key] = value;
    }
}
