namespace PlayChat.State.Tests;

[SyncState]
public sealed partial class OldUnit
{
    [Sync(2)]
    private float _x;
}
