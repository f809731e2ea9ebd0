using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Matchmaking;

namespace PlayChat.Simulation;

/// <summary>A match of a world, in which the players only keep their seats.</summary>
internal sealed class WorldMatch : Room<WorldMatch.Player, ReadOnlyMemory<byte>>
{
    private readonly World _world;
    private readonly QueuePlan _plan;
    private readonly IReadOnlyList<MatchSeat<Wire>> _made;
    private readonly MatchSeats<Wire> _seats;
    private readonly Dictionary<MatchSeat<Wire>, TimeSpan?> _waiting = []; // since when a seat waits; null while it is taken

    internal WorldMatch(RoomContext context, World world, QueuePlan plan, IReadOnlyList<MatchSeat<Wire>> seats)
        : base(context)
    {
        _world = world;
        _plan = plan;
        _made = seats;
        _seats = AddPart(new MatchSeats<Wire>(plan.HoldFor, seat => Join(seat.Session!, seat.Token), Leave, OnGivenUp));
    }

    internal void OnPlace(Session session, int question) =>
        SendPacket(session, new Wire(Id, Find(session) is null ? 0 : 2, question, default), type: WirePacket.Placed);

    internal void OnGiveUp(Player player) => Leave(player.Session);

    protected override void OnCreate()
    {
        foreach (MatchSeat<Wire> seat in _made.Where(static seat => !seat.IsVacant))
        {
            _waiting.Add(seat, _world.Clock.Elapsed);
        }

        _seats.Add(_made);
    }

    protected override JoinDecision<Player> OnJoining(Session session, ReadOnlyMemory<byte> token)
    {
        MatchSeat<Wire>? seat = _seats.Claim(session, token.Span);
        MatchSeat<Wire>? kept = _waiting.Keys.FirstOrDefault(seat => seat.Token.Span.SequenceEqual(token.Span));
        _world.Judge.Require(
            seat == kept, "a seat waits", $"match {Id} has given the seat of ticket {kept?.Ticket?.B} up, or another one away");
        seat ??= _world.Variant == Variant.OpenSeats ? _made[0] : null;
        return seat is null ? Refuse("No seat has this token.") : new Player(session, seat);
    }

    protected override void OnJoined(Player player)
    {
        _world.Count("seats taken");
        _world.Judge.Require(
            _waiting.TryGetValue(player.Seat, out TimeSpan? since) && since is not null && Members.Count <= _made.Count,
            "one player a seat",
            $"session {player.Session.Id} has taken the seat of ticket {player.Seat.Ticket?.B} in match {Id}, which did not wait");
        _waiting[player.Seat] = null;
        TellSeat(player);
    }

    protected override void OnReturn(Player player) => TellSeat(player);

    protected override void OnLeave(Player player, LeaveReason reason)
    {
        if (_waiting.ContainsKey(player.Seat))
        {
            _waiting[player.Seat] = _world.Clock.Elapsed;
        }

        _world.Count($"seats left as {reason}");
    }

    private void TellSeat(Player player) => SendPacket(
        player.Session, new Wire(Id, player.Seat.Ticket!.B, 0, player.Seat.Token), type: WirePacket.Seated);

    private void OnGivenUp(MatchSeat<Wire> seat)
    {
        if (_waiting.Remove(seat, out TimeSpan? since) && since is { } start)
        {
            _world.Count("seats given up in time");
            _world.Judge.Require(
                _world.Clock.Elapsed - start >= _plan.HoldFor,
                "a seat waits",
                $"the seat of ticket {seat.Ticket?.B} in match {Id} was given up after {_world.Clock.Elapsed - start}");
        }

        if (!_seats.HasPlayers)
        {
            Remove();
        }
    }

    internal sealed class Player(Session session, MatchSeat<Wire> seat) : RoomMember(session)
    {
        internal MatchSeat<Wire> Seat => seat;
    }
}
