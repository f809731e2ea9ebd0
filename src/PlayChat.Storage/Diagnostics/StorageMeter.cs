using System.Diagnostics.Metrics;

namespace PlayChat.Storage.Diagnostics;

/// <summary>A store's instruments, in the meter <c>PlayChat.Storage</c>. All but the histogram only read what the store counts anyway, when
/// a listener collects.</summary>
/// <remarks>docs/reference/metrics.md lists them as Prometheus shows them: <c>playchat_db_retries_total</c> is
/// <c>playchat.db.retries</c>.</remarks>
public sealed class StorageMeter : IDisposable
{
    /// <summary>The meter's name: <c>PlayChat.Storage</c>.</summary>
    public const string MeterName = "PlayChat.Storage";

    private static readonly StoreOperation[] s_operations = Enum.GetValues<StoreOperation>();

    private readonly Meter _meter;
    private readonly bool _ownsMeter;

    /// <summary>Makes the instruments.</summary>
    /// <param name="metrics">What they read.</param>
    /// <param name="factory">Makes, and then owns, the meter; without one this object owns it.</param>
    public StorageMeter(StorageMetrics metrics, IMeterFactory? factory = null)
    {
        ArgumentNullException.ThrowIfNull(metrics);
        _ownsMeter = factory is null;
        _meter = factory?.Create(MeterName) ?? new Meter(MeterName);
        _meter.CreateObservableUpDownCounter("playchat.db.connections.in_use", () => metrics.InUse, "{connection}", "Connections in use.");
        _meter.CreateObservableGauge("playchat.db.connections.peak", () =>
            metrics.PeakInUse, "{connection}", "The most in use at once since the start.");
        _meter.CreateObservableCounter("playchat.db.connections.acquired", () =>
            metrics.Acquires, "{connection}", "Connections handed out.");
        _meter.CreateObservableCounter("playchat.db.connections.wait", () =>
            metrics.AcquireWaitTotalMilliseconds / 1000, "s", "Time spent waiting for connections.");
        _meter.CreateObservableCounter("playchat.db.connections.timeouts", () =>
            metrics.AcquireTimeouts, "{timeout}", "Waits that ended without a connection.");
        _meter.CreateObservableCounter("playchat.db.operations", () =>
            Each(metrics, static figures => figures.Count), "{operation}", "Calls that have ended.");
        Histogram<double> durations = _meter.CreateHistogram<double>(
            "playchat.db.operation.duration", "s", "Time that a call took, waiting and repeated tries included.");
        foreach (StoreOperation operation in s_operations)
        {
            var tag = new KeyValuePair<string, object?>("operation", KeyOf(operation));
            metrics.Of(operation).Recorded += seconds => durations.Record(seconds, tag);
        }

        _meter.CreateObservableCounter("playchat.db.operations.failures", () =>
            Each(metrics, static figures => figures.Failures), "{operation}", "Calls that failed.");
        _meter.CreateObservableCounter("playchat.db.retries", () => metrics.Retries, "{retry}", "Work done again after a passing failure.");
        _meter.CreateObservableCounter("playchat.db.rows.written", () =>
            metrics.RowsWritten, "{row}", "Rows of the chat log that were written.");
    }

    /// <summary>Ends the instruments.</summary>
    public void Dispose()
    {
        if (_ownsMeter)
        {
            _meter.Dispose();
        }
    }

    private static IEnumerable<Measurement<T>> Each<T>(StorageMetrics metrics, Func<OperationMetrics, T> read)
        where T : struct => s_operations.Select(
            operation => new Measurement<T>(read(metrics.Of(operation)), new KeyValuePair<string, object?>("operation", KeyOf(operation))));

    private static string KeyOf(StoreOperation operation) => operation switch
    {
        StoreOperation.Migrate => "migrate",
        StoreOperation.ReadAccount => "read_account",
        StoreOperation.WriteAccount => "write_account",
        StoreOperation.AppendChat => "append_chat",
        StoreOperation.ReadChat => "read_chat",
        StoreOperation.ReadRoom => "read_room",
        StoreOperation.WriteRoom => "write_room",
        StoreOperation.DeleteChat => "delete_chat",
        _ => "other",
    };
}
