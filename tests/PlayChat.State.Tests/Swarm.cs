namespace PlayChat.State.Tests;

[SyncState]
public sealed partial class Swarm
{
    [Sync(1)]
    private uint _tick;

    [Sync(2)]
    private readonly SyncMap<int, Bee> _bees = new();

    [Sync(3, Viewed = true)]
    private readonly SyncMap<int, Bee> _seen = new();
}
