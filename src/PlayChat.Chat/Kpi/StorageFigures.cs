using System.Diagnostics.Metrics;
using PlayChat.Kpi;
using PlayChat.Storage.Diagnostics;

namespace PlayChat.Chat.Kpi;

/// <summary>What the database does, among the server's figures and as instruments of its own.</summary>
internal sealed class StorageFigures(IChatStore store, IMeterFactory meters) : IDisposable
{
    private static readonly (StoreOperation Operation, string Name)[] s_operations =
    [
        (StoreOperation.ReadAccount, "read account"),
        (StoreOperation.WriteAccount, "write account"),
        (StoreOperation.AppendChat, "append"),
        (StoreOperation.ReadChat, "read chat"),
        (StoreOperation.ReadRoom, "read room"),
        (StoreOperation.WriteRoom, "write room"),
        (StoreOperation.DeleteChat, "delete"),
    ];

    private readonly StorageMeter _meter = new(store.Metrics, meters);

    /// <summary>Adds them; the table shows the first three.</summary>
    public void Add(KpiExtras extras)
    {
        StorageMetrics storage = store.Metrics;
        extras.Add("db wait ms", "ms", () => storage.AcquireWaitTotalMilliseconds, isTotal: true);
        extras.Add("db peak", "connections", () => storage.PeakInUse);
        extras.Add("db failures", "operations", () => storage.Failures, isTotal: true);
        extras.Add("db in use", "connections", () => storage.InUse, isDetail: true);
        extras.Add("db timeouts", "timeouts", () => storage.AcquireTimeouts, isTotal: true, isDetail: true);
        extras.Add("db retries", "retries", () => storage.Retries, isTotal: true, isDetail: true);
        extras.Add("db rows", "rows", () => storage.RowsWritten, isTotal: true, isDetail: true);
        foreach ((StoreOperation operation, string name) in s_operations)
        {
            OperationMetrics figures = storage.Of(operation);
            extras.Add($"db {name}", "operations", () => figures.Count, isTotal: true, isDetail: true);
            extras.Add($"db {name} ms", "ms", () => figures.TotalMilliseconds, isTotal: true, isDetail: true);
            extras.Add($"db {name} max ms", "ms", () => figures.MaxMilliseconds, isDetail: true);
            extras.Add($"db {name} failures", "operations", () => figures.Failures, isTotal: true, isDetail: true);
        }
    }

    public void Dispose() => _meter.Dispose();
}
