using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Matchmaking.Tests;

/// <summary>A match of a game.</summary>
internal sealed class GameMatch : Room<GameMatch.Player, ReadOnlyMemory<byte>>
{
    private readonly IReadOnlyList<MatchSeat<Find>> _seats;

    internal GameMatch(RoomContext context, IReadOnlyList<MatchSeat<Find>> seats)
        : base(context)
    {
        _seats = seats;
        Seats = AddPart(new MatchSeats<Find>(GameQueue.HoldFor, seat => Join(seat.Session!, seat.Token), Leave, GivenUp.Add));
    }

    internal MatchSeats<Find> Seats { get; }

    /// <summary>The seats that were given up, in order.</summary>
    internal List<MatchSeat<Find>> GivenUp { get; } = [];

    /// <summary>The names of the players that the teams were made of.</summary>
    internal string[][] Teams => [.. _seats.GroupBy(static seat => seat.Team)
        .Select(static team => team.Select(static seat => seat.Ticket?.Name ?? "vacant").ToArray())];

    protected override void OnCreate() => Seats.Add(_seats);

    protected override JoinDecision<Player> OnJoining(Session session, ReadOnlyMemory<byte> token) =>
        Seats.Claim(session, token.Span) is { } seat ? new Player(session, seat) : Refuse("No seat has this token.");

    protected override void OnJoined(Player player) => SendPacket(player.Session, new Seated(player.Seat.Team, player.Seat.Token, Id));

    internal sealed class Player(Session session, MatchSeat<Find> seat) : RoomMember(session)
    {
        internal MatchSeat<Find> Seat => seat;
    }
}
