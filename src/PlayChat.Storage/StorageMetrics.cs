using System.Diagnostics;

namespace PlayChat.Storage;

/// <summary>Counts the work of a store since its creation. Thread-safe. Each value is exact; values that are read one after the other may
/// differ by the calls in between.</summary>
public sealed class StorageMetrics
{
    private readonly OperationMetrics[] _operations =
        Array.ConvertAll(Enum.GetValues<StoreOperation>(), static _ => new OperationMetrics());
    private long _acquires;
    private long _waitTicks;
    private long _inUse;
    private long _peakInUse;
    private long _timeouts;
    private long _retries;
    private long _rowsWritten;

    /// <summary>Connections handed out.</summary>
    public long Acquires => Interlocked.Read(ref _acquires);

    /// <summary>Time callers waited for an open connection, summed over all callers that got one, in milliseconds.</summary>
    public double AcquireWaitTotalMilliseconds => Interlocked.Read(ref _waitTicks) * 1000.0 / Stopwatch.Frequency;

    /// <summary>Connections in use now.</summary>
    public long InUse => Interlocked.Read(ref _inUse);

    /// <summary>Most connections that were in use at once.</summary>
    public long PeakInUse => Interlocked.Read(ref _peakInUse);

    /// <summary>Callers that got no connection in time.</summary>
    public long AcquireTimeouts => Interlocked.Read(ref _timeouts);

    /// <summary>Calls that have ended, of all kinds, failed ones included.</summary>
    public long Operations => _operations.Sum(static operation => operation.Count);

    /// <summary>Calls that ended with a <see cref="StorageException"/>, timeouts included.</summary>
    public long Failures => _operations.Sum(static operation => operation.Failures);

    /// <summary>Work that was tried again by the store itself, because the database called the failure a passing one.</summary>
    public long Retries => Interlocked.Read(ref _retries);

    /// <summary>Rows of the chat log that were written and committed.</summary>
    public long RowsWritten => Interlocked.Read(ref _rowsWritten);

    /// <summary>The figures of one kind of work.</summary>
    public OperationMetrics Of(StoreOperation operation) => _operations[(int)operation];

    internal void RecordAcquired(long waitTicks)
    {
        Interlocked.Increment(ref _acquires);
        Interlocked.Add(ref _waitTicks, waitTicks);
        InterlockedMaximum.Raise(ref _peakInUse, Interlocked.Increment(ref _inUse));
    }

    internal void RecordReleased() => Interlocked.Decrement(ref _inUse);

    internal void RecordTimeout() => Interlocked.Increment(ref _timeouts);

    internal void RecordRetry() => Interlocked.Increment(ref _retries);

    internal void RecordRows(int count) => Interlocked.Add(ref _rowsWritten, count);
}
