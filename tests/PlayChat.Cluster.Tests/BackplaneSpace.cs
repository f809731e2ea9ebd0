using PlayChat.Cluster.Log;

namespace PlayChat.Cluster.Tests;

/// <summary>Logs of a test's own in one engine, with two shards. Raw operations work on shard 0.</summary>
public abstract class BackplaneSpace : IAsyncDisposable
{
    /// <summary>How many shards there are.</summary>
    public const int Shards = 2;

    /// <summary>Makes a node; it is up when the task completes.</summary>
    public abstract Task<RoomBackplane> ConnectAsync(RecordOrigin origin, BackplaneOptions? options = null);

    /// <summary>The epoch of the log.</summary>
    public abstract Task<uint> GetEpochAsync();

    /// <summary>Appends bytes as one batch.</summary>
    public abstract Task AppendAsync(byte[] batch);

    /// <summary>Drops the oldest batches, in any case the first one; batches are appended for it if need be.</summary>
    public abstract Task TrimAsync();

    /// <summary>Deletes the log. Nodes that connect then, or connect again, make a new one.</summary>
    public abstract Task ReplaceAsync();

    /// <summary>Takes the logs away from all nodes.</summary>
    public abstract Task SuspendAsync();

    /// <summary>Gives them back, with what they held.</summary>
    public abstract Task ResumeAsync();

    /// <inheritdoc/>
    public abstract ValueTask DisposeAsync();
}
