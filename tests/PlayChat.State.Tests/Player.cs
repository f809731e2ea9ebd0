namespace PlayChat.State.Tests;

[SyncState]
public sealed partial class Player
{
    [Sync(1)]
    private string? _name;

    [Sync(2, Decimals = 2)]
    private float _x;

    [Sync(3)]
    private byte _hp;
}
