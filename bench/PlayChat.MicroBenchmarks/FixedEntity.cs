using PlayChat.State;

namespace PlayChat.MicroBenchmarks;

[SyncState]
internal sealed partial class FixedEntity
{
    [Sync(1)]
    private uint _id;

    [Sync(2, Decimals = 2)]
    private float _x;

    [Sync(3, Decimals = 2)]
    private float _y;

    [Sync(4)]
    private byte _hp;

    [Sync(5)]
    private byte _dir;
}
