using PlayChat.Core.Rooms;
using PlayChat.Matchmaking;

namespace PlayChat.MatchProbe;

/// <summary>A queue for duels that the nodes share.</summary>
internal sealed class DuelQueue(RoomContext context, int node) : MatchQueue<FindDuel>(context, s_rules)
{
    private static readonly MatchRules<FindDuel> s_rules = new() { TeamSizes = [1, 1], PassInterval = TimeSpan.FromMilliseconds(100) };

    protected override void OnCreate() => Console.WriteLine("owner");

    protected override void OnStatus(MatchPlayer<FindDuel> player, MatchStatus status)
    {
        if (status.State >= MatchState.Cancelled)
        {
            SendPacket(player.Session, new Unmatched(player.Ticket.Name, status.State.ToString()));
        }
    }

    protected override void OnMatch(IReadOnlyList<MatchSeat<FindDuel>> seats)
    {
        Duel duel = Rooms.Create(
            new RoomSettings { Name = seats[0].Match, Node = seats[0].Node, IsClustered = true },
            context => new Duel(context, node, seats));
        foreach (MatchSeat<FindDuel> seat in seats.Where(static seat => seat.Session is not null))
        {
            Move(seat, duel.JoinAsync(seat.Session!, new TakeSeat(seat.Token)));
        }
    }
}
