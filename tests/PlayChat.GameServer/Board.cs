using System.Globalization;
using PlayChat.State;

namespace PlayChat.GameServer;

#pragma warning disable MA0048 // the state is read as a whole; clients of the contract tests compile it, too
/// <summary>The state of a table.</summary>
[SyncState]
internal sealed partial class Board
{
    /// <summary>The id of the packets that carry it.</summary>
    public const ushort PacketId = 22;

    [Sync(1)]
    private int _moves;

    [Sync(2)]
    private readonly SyncMap<string, Piece> _pieces = new();

    [Sync(3)]
    private readonly SyncList<string> _notes = new();

    /// <summary>All of it, to compare the copies.</summary>
    public override string ToString() => string.Join(
        " ",
        Pieces.OrderBy(static piece => piece.Key, StringComparer.Ordinal)
            .Select(static piece => $"{piece.Key}={piece.Value.X.ToString(CultureInfo.InvariantCulture)}")
            .Prepend($"{Moves}")
            .Concat(Notes));
}

[SyncState]
internal sealed partial class Piece
{
    [Sync(1, Decimals = 2)]
    private double _x;
}
