using PlayChat.State;

namespace PlayChat.MicroBenchmarks;

[SyncState]
internal sealed partial class ViewedWorld
{
    [Sync(1)]
    private uint _tick;

    [Sync(2, Viewed = true)]
    private readonly SyncMap<int, ExactEntity> _entities = new();
}
