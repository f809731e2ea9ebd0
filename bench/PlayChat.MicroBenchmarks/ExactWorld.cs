using PlayChat.State;

namespace PlayChat.MicroBenchmarks;

[SyncState]
internal sealed partial class ExactWorld
{
    [Sync(1)]
    private uint _tick;

    [Sync(2)]
    private readonly SyncMap<int, ExactEntity> _entities = new();
}
