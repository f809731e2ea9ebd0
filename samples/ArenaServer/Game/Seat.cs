using System.Security.Cryptography;
using ArenaServer.Protocol;
using PlayChat.Core.Rooms;

namespace ArenaServer.Game;

/// <summary>What a player has in the arena, connected or not: a place, a score, and the token that opens it. For the room's turn
/// alone.</summary>
internal sealed class Seat(int id, string name, float x, float y)
{
    private int _dx;
    private int _dy;

    public int Id { get; } = id;

    public string Token { get; } = Convert.ToHexString(RandomNumberGenerator.GetBytes(16));

    public float X { get; private set; } = x;

    public float Y { get; private set; } = y;

    public int Score { get; set; }

    /// <summary>Who sits in it; null while its player is away.</summary>
    public Player? Player { get; set; }

    /// <summary>Ends the seat when its player stays away.</summary>
    public RoomTimer? Keeping { get; set; }

    public PlayerState State => new(Id, name, X, Y, Score, IsAway: Player is null);

    public void Steer(Steer steer) => (_dx, _dy) = (Math.Sign(steer.Dx), Math.Sign(steer.Dy));

    /// <summary>Moves on; who leaves at one side comes in at the other.</summary>
    /// <returns>Whether it has moved at all.</returns>
    public bool Move(float seconds)
    {
        X = Wrap(X + (_dx * ArenaRules.Speed * seconds), ArenaRules.Width);
        Y = Wrap(Y + (_dy * ArenaRules.Speed / 2 * seconds), ArenaRules.Height);
        return _dx != 0 || _dy != 0;
    }

    public bool IsOn(Cell cell) => (int)X == cell.X && (int)Y == cell.Y;

    private static float Wrap(float value, int size)
    {
        value = value < 0 ? value + size : value;
        return value >= size ? value - size : value;
    }
}
