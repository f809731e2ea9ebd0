using System.Diagnostics.Metrics;

namespace PlayChat.Chat.Operations.Metrics;

/// <summary>Adds up what one instrument measures. Thread-safe.</summary>
internal sealed class InstrumentSeries
{
    private readonly object _gate = new();
    private readonly string _name;
    private readonly string _help;
    private readonly MetricKind _kind;
    private readonly bool _isObservable;
    private readonly Dictionary<(object?, object?), Series> _series = []; // guarded by _gate

    public InstrumentSeries(Instrument instrument)
    {
        Type type = instrument.GetType().GetGenericTypeDefinition();
        _kind = type == typeof(Histogram<>) ? MetricKind.Histogram
            : type == typeof(Counter<>) || type == typeof(ObservableCounter<>) ? MetricKind.Counter
            : MetricKind.Gauge;
        _isObservable = instrument.IsObservable;
        _name = MetricName.Of(instrument);
        _help = instrument.Description ?? "";
    }

    /// <summary>Takes a measurement. The series is that of the first two tags: PlayChat's instruments have no more.</summary>
    public void Record(double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        (object?, object?) key = (tags.Length > 0 ? tags[0].Value : null, tags.Length > 1 ? tags[1].Value : null);
        lock (_gate)
        {
            if (!_series.TryGetValue(key, out Series? series))
            {
                series = new Series(MetricName.Labels(tags), _kind == MetricKind.Histogram);
                _series.Add(key, series);
            }

            if (_isObservable)
            {
                series.Sum = value;
            }
            else
            {
                series.Add(value);
            }
        }
    }

    /// <summary>Forgets what an observable instrument has reported, so that a series which it reports no longer ends.</summary>
    public void BeginCollection()
    {
        if (_isObservable)
        {
            lock (_gate)
            {
                _series.Clear();
            }
        }
    }

    public MetricFamily Read()
    {
        lock (_gate)
        {
            return _kind == MetricKind.Histogram
                ? new MetricFamily(_name, _kind, _help, [], [.. _series.Values.Select(static series => series.ReadHistogram())])
                : new MetricFamily(
                    _name, _kind, _help, [.. _series.Values.Select(static series => KeyValuePair.Create(series.Labels, series.Sum))], []);
        }
    }

    private sealed class Series(string labels, bool hasBuckets)
    {
        private readonly long[] _buckets = hasBuckets ? new long[HistogramValue.Bounds.Length + 1] : [];

        public string Labels { get; } = labels;

        public double Sum { get; set; }

        public void Add(double value)
        {
            Sum += value;
            if (_buckets.Length > 0)
            {
                int at = Array.BinarySearch(HistogramValue.Bounds, value);
                _buckets[at < 0 ? ~at : at]++;
            }
        }

        public KeyValuePair<string, HistogramValue> ReadHistogram()
        {
            long[] counts = new long[HistogramValue.Bounds.Length];
            long seen = 0;
            for (int i = 0; i < counts.Length; i++)
            {
                counts[i] = seen += _buckets[i];
            }

            return KeyValuePair.Create(Labels, new HistogramValue(counts, seen + _buckets[^1], Sum));
        }
    }
}
