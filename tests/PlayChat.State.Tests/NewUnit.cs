namespace PlayChat.State.Tests;

[SyncState]
public sealed partial class NewUnit
{
    [Sync(1)]
    private string? _name;

    [Sync(2, Decimals = 2)]
    private double _x;

    [Sync(3)]
    private short _armour;
}
