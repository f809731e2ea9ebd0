using ArenaServer.Protocol;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace ArenaServer.Game;

/// <summary>A player with its place and its score. Like its session, it survives a broken connection.</summary>
internal sealed class Player(Session session, string name, float x, float y) : RoomMember(session)
{
    private int _dx;
    private int _dy;

    public float X { get; private set; } = x;

    public float Y { get; private set; } = y;

    public int Score { get; set; }

    public PlayerState State => new(Session.Id, name, X, Y, Score, IsAway);

    public void Steer(Steer steer) => (_dx, _dy) = (Math.Sign(steer.Dx), Math.Sign(steer.Dy));

    /// <summary>Moves the player. A player that leaves the arena at one side enters it at the other.</summary>
    /// <returns>Whether the player has moved at all.</returns>
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
