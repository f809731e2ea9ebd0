using PlayChat.Core.Cluster;

namespace PlayChat.Cluster.Tests.Log;

/// <summary>What an engine sees of its base class, with a test in the place of the engine.</summary>
internal sealed class StubBackplane(RecordOrigin origin, BackplaneOptions options, TimeProvider time)
    : RoomBackplane(1, origin, options, time: time)
{
    public int Wakes { get; private set; }

    public int Silences { get; private set; }

    public BatchQueue Batches => GetQueue(0);

    public void Connect() => OnConnected();

    public void Lose()
    {
        OnLost();
        Rewind(0);
    }

    public void Answer() => OnAnswer();

    public ShardReader Read(SubscribeFrom from, IShardHandler handler, Action<ulong>? onHello = null) =>
        CreateReader(0, from, handler, onHello ?? (static _ => { }));

    protected override void OnPending(int shard) => Wakes++;

    protected override void OnSilent() => Silences++;

    protected override ValueTask<IAsyncDisposable> SubscribeCoreAsync(
        int shard, SubscribeFrom from, IShardHandler handler, CancellationToken cancellationToken) => throw new NotSupportedException();

    protected override ValueTask DisposeCoreAsync() => default;
}
