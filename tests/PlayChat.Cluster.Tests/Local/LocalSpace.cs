using PlayChat.Cluster.Log;

namespace PlayChat.Cluster.Tests.Local;

internal sealed class LocalSpace : BackplaneSpace
{
    private readonly LocalLog _log = new(Shards);
    private readonly List<RoomBackplane> _nodes = [];

    public override Task<RoomBackplane> ConnectAsync(RecordOrigin origin, BackplaneOptions? options = null)
    {
        var node = new LocalBackplane(_log, origin, options);
        _nodes.Add(node);
        return Task.FromResult<RoomBackplane>(node);
    }

    public override Task<uint> GetEpochAsync() => Task.FromResult(_log.GetEpoch(0));

    public override Task AppendAsync(byte[] batch)
    {
        _log.Append(0, batch);
        return Task.CompletedTask;
    }

    public override Task TrimAsync()
    {
        _log.Trim(0, keep: 0);
        return Task.CompletedTask;
    }

    public override Task ReplaceAsync()
    {
        _log.Replace(0);
        return Task.CompletedTask;
    }

    public override Task SuspendAsync()
    {
        _log.IsAvailable = false;
        return Task.CompletedTask;
    }

    public override Task ResumeAsync()
    {
        _log.IsAvailable = true;
        return Task.CompletedTask;
    }

    public override async ValueTask DisposeAsync()
    {
        foreach (RoomBackplane node in _nodes)
        {
            await node.DisposeAsync();
        }
    }
}
