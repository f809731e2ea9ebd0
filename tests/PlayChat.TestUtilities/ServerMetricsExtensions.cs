using PlayChat.Core.Diagnostics;
using PlayChat.Kpi;

namespace PlayChat.TestUtilities;

/// <summary>A server's figures as properties with names.</summary>
public static class ServerMetricsExtensions
{
    /// <summary>Takes a snapshot with a collector of its own, so two of them make no interval.</summary>
    public static KpiSnapshot Snapshot(this ServerMetrics metrics) => new KpiCollector(metrics).Snapshot();
}
