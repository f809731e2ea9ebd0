using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Matchmaking;

namespace PlayChat.MatchProbe;

/// <summary>A duel between players of any nodes. It ends when both have left.</summary>
internal sealed class Duel : Room<Duel.Player, TakeSeat>
{
    private readonly int _node;
    private readonly IReadOnlyList<MatchSeat<FindDuel>> _made;
    private readonly MatchSeats<FindDuel> _seats;

    internal Duel(RoomContext context, int node, IReadOnlyList<MatchSeat<FindDuel>> seats)
        : base(context)
    {
        _node = node;
        _made = seats;
        _seats = AddPart(new MatchSeats<FindDuel>(TimeSpan.FromSeconds(10), static _ => { }, Leave, _ => OnGivenUp()));
    }

    protected override void OnCreate() => _seats.Add(_made);

    protected override JoinDecision<Player> OnJoining(Session session, TakeSeat take) =>
        _seats.Claim(session, take.Token.Span) is { } seat ? new Player(session, seat) : Refuse("No seat has this token.");

    protected override void OnJoined(Player player) => SendPacket(
        player.Session, new DuelSeat(player.Seat.Ticket!.Name, Name, [.. _made.Select(static seat => seat.Ticket!.Name)], _node));

    private void OnGivenUp()
    {
        if (!_seats.HasPlayers)
        {
            Remove();
        }
    }

    internal sealed class Player(Session session, MatchSeat<FindDuel> seat) : RoomMember(session)
    {
        internal MatchSeat<FindDuel> Seat => seat;
    }
}
