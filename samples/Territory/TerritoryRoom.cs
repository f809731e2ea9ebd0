using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.State;

namespace Territory;

/// <summary>A client in the room.</summary>
/// <param name="session">Its session.</param>
/// <param name="player">Its player; null for a spectator.</param>
internal sealed class Seat(Session session, Player? player) : RoomMember(session)
{
    public Player? Player => player;
}

/// <summary>Two teams paint a field for a minute at a time. The room runs all of this in its turn, so there is no lock.</summary>
internal sealed class TerritoryRoom : Room<Seat, Join>
{
    public const string Title = "territory";
    public const int Hertz = 20;
    public const int SecondsPerRound = 60;
    public const byte Red = 1;
    public const byte Blue = 2;
    private const float Speed = 8; // cells a second

    private readonly Random _random = new();
    private int _ticks;

    public static readonly RoomSettings Settings = new() { Name = Title, Capacity = 300, SpectatorCapacity = 1000 };

    // All that there is to snapshots, patches and players that come back.
    public TerritoryRoom(RoomContext context)
        : base(context) =>
        Sync = AddPart(new StateSync<World>(new World(), new StateOptions { PacketId = TerritoryPackets.State }));

    public StateSync<World> Sync { get; }

    private World World => Sync.State;

    [Packet, RateLimit(40)]
    public void OnSteer(Seat seat, Steer steer)
    {
        // The room may handle the last packets of a broken connection after OnAway. It hears no spectator.
        if (seat is { Player: { } player, IsAway: false })
        {
            player.Steer = new Steer(Math.Sign(steer.Dx), Math.Sign(steer.Dy));
        }
    }

    protected override void OnCreate()
    {
        World.SecondsLeft = SecondsPerRound;
        StartTick(Hertz);
    }

    protected override JoinDecision<Seat> OnJoining(Session session, Join join) => join switch
    {
        { IsSpectator: true } => new Seat(session, null) { IsSpectator = true },
        { Name: { Length: > 0 and <= 16 } name } => new Seat(session, NewPlayer(name)),
        _ => Refuse("A name has 1 to 16 characters."),
    };

    protected override void OnEnter(Seat seat)
    {
        if (seat.Player is { } player)
        {
            World.Players.Add(seat.Session.Id, player);
        }
    }

    protected override void OnAway(Seat seat)
    {
        if (seat.Player is { } player)
        {
            (player.IsAway, player.Steer) = (true, new Steer(0, 0));
        }
    }

    protected override void OnReturn(Seat seat)
    {
        if (seat.Player is { } player)
        {
            player.IsAway = false;
        }
    }

    protected override void OnLeave(Seat seat, LeaveReason reason) => World.Players.Remove(seat.Session.Id);

    protected override void OnTick(in RoomTick tick)
    {
        float step = Speed * (float)tick.Elapsed.TotalSeconds;
        foreach (Player player in World.Players.Values)
        {
            if (player.Steer is not (0, 0))
            {
                player.X = Math.Clamp(player.X + (player.Steer.Dx * step), 0.5f, World.Width - 0.5f);
                player.Y = Math.Clamp(player.Y + (player.Steer.Dy * step), 0.5f, World.Height - 0.5f);
                Paint(((int)player.Y * World.Width) + (int)player.X, player.Team);
            }
        }

        _ticks++;
        World.SecondsLeft = SecondsPerRound - (_ticks / Hertz % SecondsPerRound);
        if (_ticks % (SecondsPerRound * Hertz) == 0)
        {
            EndRound();
        }
    }

    private Player NewPlayer(string name) => new()
    {
        Name = name,
        Team = World.Players.Values.Count(static player => player.Team == Red) * 2 > World.Players.Count ? Blue : Red,
        X = _random.Next(World.Width) + 0.5f,
        Y = _random.Next(World.Height) + 0.5f,
    };

    private void Paint(int cell, byte team)
    {
        World.Cells.TryGetValue(cell, out byte former);
        if (former != team)
        {
            World.Cells[cell] = team;
            World.Red += (team == Red ? 1 : 0) - (former == Red ? 1 : 0);
            World.Blue += (team == Blue ? 1 : 0) - (former == Blue ? 1 : 0);
        }
    }

    private void EndRound()
    {
        byte winner = World.Red > World.Blue ? Red : World.Blue > World.Red ? Blue : (byte)0;
        World.LastRound = new Round { Number = (World.LastRound?.Number ?? 0) + 1, Winner = winner, Red = World.Red, Blue = World.Blue };
        World.Cells.Clear();
        World.Red = World.Blue = 0;
    }
}
