using System.Diagnostics.CodeAnalysis;
using ArenaServer.Protocol;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace ArenaServer.Game;

/// <summary>The game. The room runs all of this in its turn, one call at a time, so there is no lock.</summary>
internal sealed class ArenaRoom(RoomContext context, int? seed = null) : Room<Player, Join>(context)
{
    public const string Title = "arena";

    private readonly Random _random = seed is { } fixedSeed ? new Random(fixedSeed) : new Random();
    private Cell _coin;

    [Packet(ArenaPacketId.Steer), RateLimit(40)]
    [SuppressMessage("Performance", "CA1822", Justification = "A static method would not be a handler in the room's turn.")]
    public void OnSteer(Player player, Steer steer)
    {
        // The room may handle the last packets of a broken connection after OnAway.
        if (!player.IsAway)
        {
            player.Steer(steer);
        }
    }

    protected override void OnCreate()
    {
        _coin = NewCoin();
        StartTick(ArenaRules.Hertz);
    }

    protected override JoinDecision<Player> OnJoining(Session session, Join join) =>
        join.Name is { Length: > 0 and <= ArenaRules.MaxNameLength } name && !name.Any(char.IsControl)
            ? new Player(session, name, _random.Next(ArenaRules.Width), _random.Next(ArenaRules.Height))
            : Refuse($"A name has 1 to {ArenaRules.MaxNameLength} characters.");

    protected override void OnEnter(Player player) => Welcome(player, ArenaEventKind.Joined);

    protected override void OnAway(Player player)
    {
        player.Steer(default);
        BroadcastPacket(EventOf(ArenaEventKind.Away, player));
    }

    protected override void OnReturn(Player player) => Welcome(player, ArenaEventKind.Returned);

    protected override void OnLeave(Player player, LeaveReason reason) => BroadcastPacket(EventOf(ArenaEventKind.Left, player));

    protected override void OnTick(in RoomTick tick)
    {
        float seconds = (float)tick.Elapsed.TotalSeconds;
        foreach (Player player in Members)
        {
            if (!player.Move(seconds))
            {
                continue;
            }

            // Only the newest position of each player matters: a slow reader gets fewer positions, but none late.
            BroadcastPacket(new Position(player.Session.Id, player.X, player.Y), Delivery.LatestOnly(player.Session.Id));
            if (player.IsOn(_coin))
            {
                player.Score++;
                _coin = NewCoin();
                BroadcastPacket(EventOf(ArenaEventKind.Scored, player));
            }
        }
    }

    /// <summary>Sends the player the whole arena, and tells the others that the player is here.</summary>
    private void Welcome(Player player, ArenaEventKind kind)
    {
        PlayerState[] players = [.. Members.Select(static member => member.State)];
        SendPacket(player.Session, new ArenaState(ArenaRules.Width, ArenaRules.Height, players, _coin));
        BroadcastPacket(EventOf(kind, player), except: player.Session);
    }

    private Cell NewCoin() => new(_random.Next(ArenaRules.Width), _random.Next(ArenaRules.Height));

    private ArenaEvent EventOf(ArenaEventKind kind, Player player) => new(kind, player.State, _coin);
}
