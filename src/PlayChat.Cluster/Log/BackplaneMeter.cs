using System.Diagnostics.Metrics;

namespace PlayChat.Cluster.Log;

/// <summary>The instruments of one backplane.</summary>
/// <remarks>
/// <list type="table">
/// <listheader><term>instrument</term><description>kind, unit: meaning</description></listheader>
/// <item><term><c>playchat.cluster.log.lag</c></term><description>gauge, s: age of the oldest record of this node that it has not read back
/// from the log; 0 when there is none</description></item>
/// <item><term><c>playchat.cluster.log.duration</c></term><description>histogram, s: from the publication of a batch's first record until
/// this node has read the batch back</description></item>
/// <item><term><c>playchat.cluster.batches.unconfirmed</c></term><description>up-down counter, {batch}: sent to the log, not
/// confirmed</description></item>
/// <item><term><c>playchat.cluster.batches.republished</c></term><description>counter, {batch}: sent once more after a connection
/// broke</description></item>
/// <item><term><c>playchat.cluster.batches.duplicate</c></term><description>counter, {batch}: read twice, dropped</description></item>
/// <item><term><c>playchat.cluster.batches.fenced</c></term><description>counter, {batch}: of a dead node, dropped</description></item>
/// <item><term><c>playchat.cluster.batches.read</c></term><description>counter, {batch}: read from the log, all kinds
/// included</description></item>
/// <item><term><c>playchat.cluster.records.published</c></term><description>counter, {record}: accepted from this node</description></item>
/// <item><term><c>playchat.cluster.records.refused</c></term><description>counter, {record}: refused; tag <c>reason</c> (<c>full</c>,
/// <c>unavailable</c>, <c>too_large</c>)</description></item>
/// <item><term><c>playchat.cluster.records.delivered</c></term><description>counter, {record}: given to handlers</description></item>
/// <item><term><c>playchat.cluster.pending</c></term><description>up-down counter, By: records that the log has not
/// confirmed</description></item>
/// <item><term><c>playchat.cluster.gaps</c></term><description>counter, {gap}: gaps that were reported to handlers</description></item>
/// <item><term><c>playchat.cluster.reconnects</c></term><description>counter, {connection}: connections to the log after the
/// first</description></item>
/// <item><term><c>playchat.cluster.state</c></term><description>gauge: 0 up, 1 degraded, 2 down</description></item>
/// </list>
/// </remarks>
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
