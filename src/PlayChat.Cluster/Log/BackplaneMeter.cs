using System.Diagnostics.Metrics;

namespace PlayChat.Cluster.Log;

/// <summary>The instruments of one backplane.</summary>
/// <remarks>docs/reference/metrics.md lists them.</remarks>
public sealed class BackplaneMeter : IDisposable
{
    /// <summary>The meter's name: <c>PlayChat.Cluster</c>.</summary>
    public const string Name = "PlayChat.Cluster";

    private static readonly KeyValuePair<string, object?>[] s_refusals =
        [new("reason", ""), new("reason", "full"), new("reason", "unavailable"), new("reason", "too_large")];

    private readonly Meter _meter;
    private readonly bool _ownsMeter;
    private readonly Histogram<double> _durations;
    private readonly long[] _refused = new long[s_refusals.Length]; // by PublishResult
    private long _republished;
    private long _duplicates;
    private long _fenced;
    private long _batches;
    private long _published;
    private long _delivered;
    private long _gaps;
    private long _connections;

    internal BackplaneMeter(RoomBackplane backplane, IMeterFactory? factory)
    {
        _ownsMeter = factory is null;
        _meter = factory?.Create(Name) ?? new Meter(Name);
        _durations = _meter.CreateHistogram<double>(
            "playchat.cluster.log.duration", "s", "From the publication of a batch's first record until this node has read it back.");
        _meter.CreateObservableGauge(
            "playchat.cluster.log.lag", () => backplane.Lag.TotalSeconds, "s", "Age of the oldest record that was not read back.");
        _meter.CreateObservableUpDownCounter(
            "playchat.cluster.batches.unconfirmed", () => backplane.Unconfirmed, "{batch}", "Batches sent and not confirmed.");
        _meter.CreateObservableUpDownCounter(
            "playchat.cluster.pending", () => backplane.PendingBytes, "By", "Records that the log has not confirmed.");
        _meter.CreateObservableGauge("playchat.cluster.state", () => (int)backplane.State, null, "0 up, 1 degraded, 2 down.");
        _meter.CreateObservableCounter("playchat.cluster.records.refused", ReadRefused, "{record}", "Records refused, by reason.");
        Count("batches.republished", () => Volatile.Read(ref _republished), "{batch}", "Batches sent once more.");
        Count("batches.duplicate", () => Volatile.Read(ref _duplicates), "{batch}", "Batches read twice and dropped.");
        Count("batches.fenced", () => Volatile.Read(ref _fenced), "{batch}", "Batches of dead nodes, dropped.");
        Count("batches.read", () => Volatile.Read(ref _batches), "{batch}", "Batches read from the log.");
        Count("records.published", () => Volatile.Read(ref _published), "{record}", "Records accepted from this node.");
        Count("records.delivered", () => Volatile.Read(ref _delivered), "{record}", "Records given to handlers.");
        Count("gaps", () => Volatile.Read(ref _gaps), "{gap}", "Holes that handlers were told of.");
        Count("reconnects", () => Math.Max(0, Volatile.Read(ref _connections) - 1), "{connection}", "Connections after the first.");
    }

    /// <summary>Batches that were sent once more after a connection broke.</summary>
    public long Republished => Volatile.Read(ref _republished);

    /// <summary>Batches that were read twice and dropped the second time.</summary>
    public long Duplicates => Volatile.Read(ref _duplicates);

    /// <summary>Batches of dead nodes that were dropped.</summary>
    public long FencedBatches => Volatile.Read(ref _fenced);

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_ownsMeter)
        {
            _meter.Dispose();
        }
    }

    internal void Published(PublishResult result) =>
        Interlocked.Increment(ref result == PublishResult.Accepted ? ref _published : ref _refused[(int)result]);

    internal void Rewound(int batches) => Interlocked.Add(ref _republished, batches);

    internal void Connected() => Interlocked.Increment(ref _connections);

    internal void Duplicate() => Interlocked.Increment(ref _duplicates);

    internal void Fenced() => Interlocked.Increment(ref _fenced);

    internal void Gap() => Interlocked.Increment(ref _gaps);

    internal void Read(int delivered)
    {
        Interlocked.Increment(ref _batches);
        Interlocked.Add(ref _delivered, delivered);
    }

    internal void ReadBack(TimeSpan duration) => _durations.Record(duration.TotalSeconds);

    private void Count(string name, Func<long> read, string unit, string description) =>
        _meter.CreateObservableCounter("playchat.cluster." + name, read, unit, description);

    private IEnumerable<Measurement<long>> ReadRefused()
    {
        for (int i = 1; i < s_refusals.Length; i++)
        {
            yield return new Measurement<long>(Volatile.Read(ref _refused[i]), s_refusals[i]);
        }
    }
}
