using PlayChat.State;

namespace PlayChat.MicroBenchmarks;

[SyncState]
internal sealed partial class FixedWorld
{
    [Sync(1)]
    private uint _tick;

    [Sync(2)]
    private readonly SyncMap<int, FixedEntity> _entities = new();
}
