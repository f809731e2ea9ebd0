using PlayChat.State;

namespace PlayChat.MicroBenchmarks;

[SyncState]
internal sealed partial class ExactEntity
{
    [Sync(1)]
    private uint _id;

    [Sync(2)]
    private float _x;

    [Sync(3)]
    private float _y;

    [Sync(4)]
    private byte _hp;

    [Sync(5)]
    private byte _dir;
}
