namespace PlayChat.State.Tests;

/// <summary>The example of proto/STATE.md.</summary>
[SyncState]
public sealed partial class World
{
    [Sync(1)]
    private uint _tick;

    [Sync(2)]
    private readonly SyncMap<uint, Player> _players = new();
}
