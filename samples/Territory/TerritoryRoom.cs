using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Matchmaking;
using PlayChat.Players;
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
/// <remarks>A join has the token of a seat, or is empty for a spectator.</remarks>
internal sealed class TerritoryRoom : Room<Seat, ReadOnlyMemory<byte>>
{
    public const int Seats = 32;
    public const int Hertz = 20;
    public const int SecondsPerRound = 60;
    public const byte Red = 1;
    public const byte Blue = 2;
    private const float Speed = 8; // cells a second

    private readonly Random _random;
    private readonly Scores _scores;
    private readonly MatchSeats<Join> _seats;
    private int _ticks;
    private int _promised; // seats; those that wait for their player are among them

    public static readonly RoomSettings Settings = new() { Name = "territory", Capacity = 2 * Seats, SpectatorCapacity = 1000 };

    public TerritoryRoom(RoomContext context, Scores scores)
        : base(context)
    {
        _random = context.Random;
        _scores = scores;
        // All that there is to snapshots, patches and players that come back.
        Sync = AddPart(new StateSync<World>(new World(), new StateOptions { PacketId = TerritoryPackets.State }));
        // The page keeps no token, so a seat does not wait for long when the session has ended.
        _seats = AddPart(new MatchSeats<Join>(
            TimeSpan.FromSeconds(1), seat => Join(seat.Session!, seat.Token), Leave, _ => Interlocked.Decrement(ref _promised)));
    }

    public StateSync<World> Sync { get; }

    private World World => Sync.State;

    /// <summary>Gives the players of a match seats, if there are enough. The room stays for the players of later matches. Only the lobby
    /// calls it, in its own turn.</summary>
    public bool TryTake(IReadOnlyList<MatchSeat<Join>> seats)
    {
        MatchSeat<Join>[] players = [.. seats.Where(static seat => seat.Session is not null)];
        if (Volatile.Read(in _promised) + players.Length > Seats)
        {
            return false;
        }

        Interlocked.Add(ref _promised, players.Length);
        return this.Post(static (room, taken) => room._seats.Add(taken), players);
    }

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
        KeepScores([]);
    }

    protected override JoinDecision<Seat> OnJoining(Session session, ReadOnlyMemory<byte> token) =>
        token.IsEmpty ? new Seat(session, null) { IsSpectator = true }
        : _seats.Claim(session, token.Span) is { } seat ? new Seat(session, NewPlayer(seat.Ticket!.Name))
        : Refuse("The seat is given up.");

    protected override void OnJoined(Seat seat)
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
                Paint(((int)player.Y * World.Width) + (int)player.X, player);
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

    private void Paint(int cell, Player player)
    {
        byte team = player.Team;
        World.Cells.TryGetValue(cell, out byte former);
        if (former != team)
        {
            World.Cells[cell] = team;
            World.Red += (team == Red ? 1 : 0) - (former == Red ? 1 : 0);
            World.Blue += (team == Blue ? 1 : 0) - (former == Blue ? 1 : 0);
            player.Painted++;
        }
    }

    private void EndRound()
    {
        byte winner = World.Red > World.Blue ? Red : World.Blue > World.Red ? Blue : (byte)0;
        World.LastRound = new Round { Number = (World.LastRound?.Number ?? 0) + 1, Winner = winner, Red = World.Red, Blue = World.Blue };
        World.Cells.Clear();
        World.Red = World.Blue = 0;
        KeepScores([.. World.Players.Values.Where(static player => player.Painted > 0)
            .Select(static player => (player.Name, player.Painted))]);
        foreach (Player player in World.Players.Values)
        {
            player.Painted = 0;
        }
    }

    /// <summary>Adds scores, and shows the best ones when the database has answered.</summary>
    private void KeepScores((string Name, int Cells)[] scores) => _scores.AddAsync(scores).PostResult(
        this,
        static (room, best) => room.ShowBest(best),
        static (_, exception) => Console.Error.WriteLine($"The scores are not kept: {exception.Message}"));

    private void ShowBest(IReadOnlyList<RankedScore> best)
    {
        World.Best.Clear();
        foreach (RankedScore line in best)
        {
            World.Best.Add(new Best { Rank = (int)line.Rank, Name = line.Score.Player, Cells = (int)line.Score.Score });
        }

        Sync.Flush(); // at once, because in a test no tick comes while the clock stands still
    }
}
