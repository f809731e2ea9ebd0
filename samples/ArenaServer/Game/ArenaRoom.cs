using System.Diagnostics.CodeAnalysis;
using ArenaServer.Protocol;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace ArenaServer.Game;

/// <summary>The game. Everything here runs in the room's turn, one thing at a time, so there is no lock.</summary>
internal sealed class ArenaRoom(RoomContext context, int? seed = null) : Room<Player, JoinRequest>(context)
{
    public const string Title = "arena";

    private readonly Dictionary<string, Seat> _seats = new(StringComparer.Ordinal); // by token
    private readonly Random _random = seed is { } fixedSeed ? new Random(fixedSeed) : new Random();
    private Cell _coin;
    private int _lastId;

    // Static, because its sender is no member yet. The room answers a player that enters, in front of what everything later builds on.
    [Packet(ArenaPacketId.Join)]
    public static async ValueTask OnJoin(PacketContext context, Join join, CancellationToken cancellationToken)
    {
        JoinResult<Player> result = await context.Rooms.Get<ArenaRoom>(Title).JoinAsync(
            context.Session, new JoinRequest(join, context.RequestId), cancellationToken: cancellationToken);
        if (!result.IsEntered)
        {
            context.Reply(new JoinAnswer(0, "", result.Reason));
        }
    }

    [Packet(ArenaPacketId.Steer), RateLimit(40)]
    [SuppressMessage("Performance", "CA1822", Justification = "A static method would not be a handler in the room's turn.")]
    public void OnSteer(Player player, Steer steer) => player.Seat.Steer(steer);

    [Packet(ArenaPacketId.Goodbye)]
    public void OnGoodbye(Player player, Goodbye goodbye) => Leave(player.Session);

    protected override void OnCreate()
    {
        _coin = NewCoin();
        StartTick(ArenaRules.Hertz);
    }

    protected override JoinDecision<Player> OnJoining(Session session, JoinRequest request)
    {
        (string name, string? token) = request.Join;
        if (token is not null)
        {
            return _seats.TryGetValue(token, out Seat? kept)
                ? new Player(session, kept, request.RequestId)
                : Refuse("This seat is not kept any more; join without a token.");
        }

        if (name is not { Length: > 0 and <= ArenaRules.MaxNameLength } || name.Any(char.IsControl))
        {
            return Refuse($"A name has 1 to {ArenaRules.MaxNameLength} characters.");
        }

        // Seats that wait for their players are no members, so the room's own capacity would not count them.
        return _seats.Count >= ArenaRules.MaxPlayers
            ? Refuse("The arena is full.")
            : new Player(
                session, new Seat(++_lastId, name, _random.Next(ArenaRules.Width), _random.Next(ArenaRules.Height)), request.RequestId);
    }

    protected override void OnEnter(Player player)
    {
        Seat seat = player.Seat;
        bool isNew = _seats.TryAdd(seat.Token, seat);
        seat.Keeping?.Cancel();
        Player? former = seat.Player;
        seat.Player = player;
        if (former is not null)
        {
            // The client has noticed the break before the server has.
            Leave(former.Session);
            former.Session.Connection.Close(CloseReason.TakenOver);
        }

        // First of all that the client gets from here: the answer, then what everything later builds on.
        SendPacket(player.Session, new JoinAnswer(seat.Id, seat.Token), player.RequestId);
        SendPacket(player.Session,
            new ArenaState(ArenaRules.Width, ArenaRules.Height, [.. _seats.Values.Select(static seat => seat.State)], _coin));
        BroadcastPacketExcept(player.Session, EventOf(isNew ? ArenaEventKind.Joined : ArenaEventKind.Returned, seat));
    }

    protected override void OnLeave(Player player, LeaveReason reason)
    {
        Seat seat = player.Seat;
        if (seat.Player != player)
        {
            return; // another connection sits there already
        }

        seat.Player = null;
        seat.Steer(default);
        if (reason == LeaveReason.SessionEnded)
        {
            seat.Keeping = After(ArenaRules.SeatKept, () => End(seat));
            BroadcastPacket(EventOf(ArenaEventKind.Away, seat));
        }
        else
        {
            End(seat);
        }
    }

    protected override void OnTick(in RoomTick tick)
    {
        float seconds = (float)tick.Elapsed.TotalSeconds;
        foreach (Player player in Members)
        {
            Seat seat = player.Seat;
            if (!seat.Move(seconds))
            {
                continue;
            }

            // Of each player only the newest position is worth sending: who reads too slowly gets fewer of them, and none late.
            BroadcastPacket(new Position(seat.Id, seat.X, seat.Y), Delivery.LatestOnly(seat.Id));
            if (seat.IsOn(_coin))
            {
                seat.Score++;
                _coin = NewCoin();
                BroadcastPacket(EventOf(ArenaEventKind.Scored, seat));
            }
        }
    }

    private void End(Seat seat)
    {
        _seats.Remove(seat.Token);
        BroadcastPacket(EventOf(ArenaEventKind.Left, seat));
    }

    private Cell NewCoin() => new(_random.Next(ArenaRules.Width), _random.Next(ArenaRules.Height));

    private ArenaEvent EventOf(ArenaEventKind kind, Seat seat) => new(kind, seat.State, _coin);
}
