namespace PlayChat.State.Tests;

[SyncState]
public sealed partial class Bee
{
    [Sync(1, Decimals = 2)]
    private float _x;

    [Sync(2, Decimals = 2)]
    private float _y;

    [Sync(3)]
    private float _z;

    [Sync(4)]
    private float _w;

    [Sync(5)]
    private byte _hp;
}
