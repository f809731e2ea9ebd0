namespace PlayChat.State.Tests;

[SyncState]
public sealed partial class NewWorld
{
    [Sync(1)]
    private uint _tick;

    [Sync(2)]
    private readonly SyncMap<string, NewUnit> _units = new();

    [Sync(3)]
    private readonly SyncMap<byte, NewUnit> _extras = new();

    [Sync(4)]
    private NewUnit? _extra;

    [Sync(5)]
    private readonly SyncList<string> _tags = new();
}
