using System.Diagnostics.Metrics;
using PlayChat.Cluster.Log;
using PlayChat.Kpi;

namespace PlayChat.Chat.Cluster;

/// <summary>The node's log and its place in the cluster, among the server's figures and as instruments.</summary>
/// <remarks>The log's own instruments are those of <see cref="BackplaneMeter"/>.</remarks>
internal sealed class ClusterFigures
{
    private readonly ClusterNode _node;

    public ClusterFigures(ClusterNode node, OtherNodes others, KpiExtras extras, IMeterFactory meters)
    {
        _node = node;
        extras.Add("log lag ms", "ms", () => Log?.Lag.TotalMilliseconds ?? 0);
        extras.Add("log unconfirmed", "batches", () => Log?.Unconfirmed ?? 0);
        extras.Add("log duplicates", "batches", () => node.Duplicates, isTotal: true);
        extras.Add("redirects", "requests", () => others.Redirects, isTotal: true);
        extras.Add("lease age ms", "ms", () => node.Life?.Node.LeaseAge.TotalMilliseconds ?? double.NaN);

        Meter meter = meters.Create("PlayChat.Server");
        meter.CreateObservableCounter(
            "playchat.cluster.redirects", () => others.Redirects, "{request}", "Requests that were answered REDIRECT.");
        meter.CreateObservableGauge(
            "playchat.cluster.lease.age", ReadLeaseAge, "s", "Time since this node renewed its lease; none while it is fenced.");
        meter.CreateObservableGauge(
            "playchat.cluster.fenced", () => node.Life is null ? 1 : 0, unit: null, "1 while this node is no part of its cluster.");
    }

    private RoomBackplane? Log => _node.Life?.Backplane;

    private IEnumerable<Measurement<double>> ReadLeaseAge()
    {
        if (_node.Life is { } life)
        {
            yield return new Measurement<double>(life.Node.LeaseAge.TotalSeconds);
        }
    }
}
