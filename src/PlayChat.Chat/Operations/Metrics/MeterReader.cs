using System.Diagnostics.Metrics;

namespace PlayChat.Chat.Operations.Metrics;

/// <summary>Reads the instruments of this server. Thread-safe.</summary>
/// <remarks>
/// Two servers in one process have meters of the same names; the factory that made a meter tells whose it is.
/// </remarks>
internal sealed class MeterReader : IDisposable
{
    private readonly object _gate = new();
    private readonly List<InstrumentSeries> _instruments = []; // guarded by _gate
    private readonly object _collecting = new();
    private readonly MeterListener _listener = new();

    public MeterReader(IMeterFactory factory)
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Scope == factory
                && instrument.Meter.Name.StartsWith("PlayChat.", StringComparison.Ordinal)
                && !IsQuantile(instrument))
            {
                var series = new InstrumentSeries(instrument);
                lock (_gate)
                {
                    _instruments.Add(series);
                }

                listener.EnableMeasurementEvents(instrument, series);
            }
        };
        // The meter has ended, such as that of a node that was fenced: its next life has another one.
        _listener.MeasurementsCompleted = (_, series) =>
        {
            lock (_gate)
            {
                _instruments.Remove((InstrumentSeries)series!);
            }
        };
        _listener.SetMeasurementEventCallback<double>(static (_, value, tags, series) => ((InstrumentSeries)series!).Record(value, tags));
        _listener.SetMeasurementEventCallback<long>(static (_, value, tags, series) => ((InstrumentSeries)series!).Record(value, tags));
        _listener.SetMeasurementEventCallback<int>(static (_, value, tags, series) => ((InstrumentSeries)series!).Record(value, tags));
        _listener.Start();
    }

    /// <summary>Whether an instrument is a gauge of quantiles, which is left out: their sum over several servers has no meaning.</summary>
    /// <remarks>Prometheus gets the same durations as histograms.</remarks>
    public static bool IsQuantile(Instrument instrument) => instrument.Name is "playchat.message.duration" or "playchat.room.tick.drift";

    /// <summary>Reads all instruments as they are now.</summary>
    public IReadOnlyList<MetricFamily> Read()
    {
        lock (_collecting)
        {
            InstrumentSeries[] instruments = Copy();
            foreach (InstrumentSeries series in instruments)
            {
                series.BeginCollection();
            }

            _listener.RecordObservableInstruments();
            return [.. instruments.Select(static series => series.Read())];
        }
    }

    public void Dispose() => _listener.Dispose();

    private InstrumentSeries[] Copy()
    {
        lock (_gate)
        {
            return [.. _instruments];
        }
    }
}
