using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests;

/// <summary>Logs of a test's own in one engine, with two shards. Raw operations work on shard 0.</summary>
public abstract class BackplaneSpace : IAsyncDisposable
{
    /// <summary>How many shards there are.</summary>
    public const int Shards = 2;

    private readonly List<RoomBackplane> _nodes = [];
    private LocalDirectoryStore? _store;

    /// <summary>How many threads read the logs of a node at once.</summary>
    public virtual int Readers => Shards + 1; // one more for the broadcasts

    /// <summary>The clock of the nodes.</summary>
    public virtual TimeProvider Time => TimeProvider.System;

    /// <summary>Makes a node; it is up when the task completes.</summary>
    public async Task<RoomBackplane> ConnectAsync(RecordOrigin origin, BackplaneOptions? options = null)
    {
        RoomBackplane node = Open(origin, options ?? new BackplaneOptions());
        _nodes.Add(node);
        await Eventually.TrueAsync(() => node.State == BackplaneState.Up);
        return node;
    }

    /// <summary>Makes a node that the caller disposes.</summary>
    public abstract RoomBackplane Open(RecordOrigin origin, BackplaneOptions options);

    /// <summary>Makes the directory of a node; in this process, unless the engine has one.</summary>
    public virtual IClusterDirectory CreateDirectory(TimeSpan lease) =>
        new LocalDirectory(_store ??= new LocalDirectoryStore(lease, Time));

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
    public virtual async ValueTask DisposeAsync()
    {
        foreach (RoomBackplane node in _nodes)
        {
            await node.DisposeAsync();
        }

        GC.SuppressFinalize(this);
    }
}
