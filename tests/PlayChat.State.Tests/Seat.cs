namespace PlayChat.State.Tests;

[SyncState]
public sealed partial class Seat
{
    [Sync(1)]
    private int _score;

    [Sync(2, Viewed = true)]
    private readonly SyncList<string> _hand = new();

    [Sync(3, Viewed = true)]
    private string? _secret;

    [Sync(4, Viewed = true)]
    private Piece? _pet;

    [Sync(5)]
    private Piece? _token;
}
