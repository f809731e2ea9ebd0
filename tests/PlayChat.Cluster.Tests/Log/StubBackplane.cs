using PlayChat.Cluster.Log;

namespace PlayChat.Cluster.Tests.Log;

/// <summary>What an engine sees of its base class, with a test in the place of the engine.</summary>
internal sealed class StubBackplane(RecordOrigin origin, BackplaneOptions options, TimeProvider time)
    : RoomBackplane(1, origin, options, time: time)
{
    public int Wakes { get; private set; }

    public bool IsDense { get; set; }

    public int Silences { get; private set; }

    public BatchQueue Batches => GetQueue(0);

    public void Connect() => OnConnected();

    public void Lose()
    {
        OnLost();
        Rewind(0);
    }

    public void Answer() => OnAnswer();

    public ShardReader Read(SubscribeFrom from, IShardHandler handler)
    {
        // The stub writes no greeting, so the task completes when the test disposes the backplane.
        _ = SubscribeAsync(0, from, handler).AsTask();
        return GetSubscriptions()[^1].Reader;
    }

    protected internal override bool HasDenseOffsets => IsDense;

    protected override void OnPending(int shard) => Wakes++;

    protected override void OnSilent() => Silences++;

    protected override ShardSubscription CreateSubscription() => new StubSubscription();

    protected override void OnSubscribed(ShardSubscription subscription)
    {
        // The test reads for it.
    }

    protected override ValueTask DisposeCoreAsync() => default;

    private sealed class StubSubscription : ShardSubscription
    {
        protected override ValueTask EndAsync() => default;
    }
}
