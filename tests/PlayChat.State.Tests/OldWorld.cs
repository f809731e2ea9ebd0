namespace PlayChat.State.Tests;

[SyncState]
public sealed partial class OldWorld
{
    [Sync(1)]
    private int _tick;

    [Sync(2)]
    private readonly SyncMap<string, OldUnit> _units = new();

    [Sync(90)]
    private string _own = "here alone";
}
