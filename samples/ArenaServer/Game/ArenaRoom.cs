using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using ArenaServer.Protocol;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace ArenaServer.Game;

/// <summary>The game. The room runs all of this in its turn, one call at a time, so there is no lock.</summary>
internal sealed class ArenaRoom(RoomContext context) : Room<Player, Join>(context)
{
    public const string Title = "arena";

    private readonly Random _random = context.Random;
    private readonly Dictionary<long, PlayerState> _restored = []; // by session id, until their sessions are members again
    private Cell _coin;

    public ArenaState State =>
        new(ArenaRules.Width, ArenaRules.Height, [.. Members.Select(static member => member.State)], _coin);

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

    /// <summary>In a cluster: what another server needs to continue the arena when this one has ended.</summary>
    protected override void OnSnapshot(IBufferWriter<byte> state)
    {
        using var writer = new Utf8JsonWriter(state);
        JsonSerializer.Serialize(writer, State, ArenaJson.Default.ArenaState);
    }

    protected override void OnRestore(ReadOnlySpan<byte> state)
    {
        ArenaState saved = JsonSerializer.Deserialize(state, ArenaJson.Default.ArenaState)!;
        _coin = saved.Coin;
        foreach (PlayerState player in saved.Players)
        {
            _restored[player.Id] = player;
        }
    }

    /// <summary>Makes a player: a new one, or after <see cref="OnRestore"/> the one that the session had.</summary>
    protected override JoinDecision<Player> OnJoining(Session session, Join join) =>
        _restored.Remove(session.Id, out PlayerState? saved)
            ? new Player(session, saved.Name, saved.X, saved.Y) { Score = saved.Score }
            : join.Name is { Length: > 0 and <= ArenaRules.MaxNameLength } name && !name.Any(char.IsControl)
                ? new Player(session, name, _random.Next(ArenaRules.Width), _random.Next(ArenaRules.Height))
                : Refuse($"A name has 1 to {ArenaRules.MaxNameLength} characters.");

    protected override void OnJoined(Player player) => Welcome(player, ArenaEventKind.Joined);

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
        SendPacket(player.Session, State);
        BroadcastPacket(EventOf(kind, player), except: player.Session);
    }

    private Cell NewCoin() => new(_random.Next(ArenaRules.Width), _random.Next(ArenaRules.Height));

    private ArenaEvent EventOf(ArenaEventKind kind, Player player) => new(kind, player.State, _coin);
}
