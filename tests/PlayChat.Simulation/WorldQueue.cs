using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Matchmaking;

namespace PlayChat.Simulation;

/// <summary>The queue of a world. Its tickets have the user as A and their number as B.</summary>
internal sealed class WorldQueue(RoomContext context, World world, QueuePlan plan) : MatchQueue<Wire>(context, plan.Rules)
{
    private int _matches;

    internal void OnAnswer(MatchPlayer<Wire> player, Wire answer) => Answer(player, answer.A != 0);

    internal void OnPlace(Session session, int question) =>
        SendPacket(session, new Wire(Id, Find(session) is null ? 0 : 1, question, default), type: WirePacket.Placed);

    internal void OnCancel(MatchPlayer<Wire> player) => Leave(player.Session);

    protected override void OnStatus(MatchPlayer<Wire> player, MatchStatus status)
    {
        if (status.State >= MatchState.Cancelled)
        {
            world.Tickets.End(player.Ticket.B, status.State.ToString());
        }

        SendPacket(player.Session, new Wire(Id, (int)status.State, player.Ticket.B, default), type: WirePacket.Status);
    }

    protected override void OnMatch(IReadOnlyList<MatchSeat<Wire>> seats)
    {
        world.Count("matches");
        world.Judge.Require(
            seats.Count == plan.Rules.TeamSizes.Sum()
                && plan.Rules.TeamSizes.Select((size, team) => seats.Count(seat => seat.Team == team) == size).All(static fits => fits),
            "seats are the rules'",
            $"a match has {seats.Count} seats");
        foreach (MatchSeat<Wire> seat in seats.Where(static seat => !seat.IsVacant))
        {
            world.Tickets.End(seat.Ticket!.B, "matched");
        }

        if (world.Variant != Variant.LostMatch || ++_matches % 10 != 0)
        {
            Rooms.Create("match", made => new WorldMatch(made, world, plan, seats));
        }
    }
}
