namespace PlayChat.State.Tests;

/// <summary>A table of cards: a player sees its own hand, and the pieces near it.</summary>
[SyncState]
public sealed partial class Table
{
    [Sync(1)]
    private int _round;

    [Sync(2)]
    private readonly SyncMap<string, Seat> _seats = new();

    [Sync(3, Viewed = true)]
    private readonly SyncMap<int, Piece> _pieces = new();
}
