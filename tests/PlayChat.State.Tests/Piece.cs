namespace PlayChat.State.Tests;

[SyncState]
public sealed partial class Piece
{
    [Sync(1, Decimals = 1)]
    private float _x;

    [Sync(2)]
    private string? _label;

    [Sync(3, Viewed = true)]
    private int _health;

    [Sync(4)]
    private readonly SyncList<Piece> _parts = new();
}
