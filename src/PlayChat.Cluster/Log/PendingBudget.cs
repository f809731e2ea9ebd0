namespace PlayChat.Cluster.Log;

/// <summary>The bytes that may wait for the log, over all shards of a backplane. Thread-safe.</summary>
internal sealed class PendingBudget(long limit)
{
    private long _used;

    public long Used => Volatile.Read(ref _used);

    public bool TryTake(int bytes)
    {
        if (Interlocked.Add(ref _used, bytes) <= limit)
        {
            return true;
        }

        Interlocked.Add(ref _used, -bytes);
        return false;
    }

    public void Return(int bytes) => Interlocked.Add(ref _used, -bytes);
}
