using PlayChat.Core.Packets;
using PlayChat.State;

namespace PlayChat.Benchmark.Servers;

/// <summary>Rooms that tick. In each tick the eight players of a room move, and its members get their positions.</summary>
internal static class TickServer
{
    /// <summary>Starts a server whose sessions are members of its rooms in turn. It listens on the loopback until it is disposed.</summary>
    public static async Task<PlayChatServer> StartAsync(TickSettings settings)
    {
        var all = new Room[settings.Rooms];
        long accepted = 0;
        var server = new PlayChatServer(options =>
        {
            options.ListenTcp($"127.0.0.1:{settings.Port}");
            options.Sessions.LoginTimeout = Timeout.InfiniteTimeSpan;
            options.Sessions.IdleTimeout = Timeout.InfiniteTimeSpan; // they only listen
        });
        if (settings.IsNative)
        {
            server.UseTransport(LinuxTransport.Shared);
        }

        server.UsePackets(new PacketSet())
            .OnPackets(static _ => { })
            .OnStarting(started =>
            {
                for (int i = 0; i < all.Length; i++)
                {
                    all[i] = settings.WithState
                        ? started.Rooms.Create($"ticks {i}", context => new StateTickRoom(context, settings))
                        : started.Rooms.Create($"ticks {i}", context => new PacketTickRoom(context, settings));
                }
            })
            .OnConnected(session =>
                _ = ((Room<RoomMember>)all[Interlocked.Increment(ref accepted) % all.Length]).JoinAsync(session).AsTask());
        await server.StartAsync(); // the program ends when it fails
        return server;
    }
}

/// <summary>Rooms that tick.</summary>
/// <param name="WithState">Whether the room keeps them in a state that PlayChat.State sends, instead of writing a packet by hand.</param>
internal sealed record TickSettings(int Port, int Rooms, double Hertz, bool WithState, bool IsNative);

internal sealed class PacketTickRoom(RoomContext context, TickSettings settings) : Room<RoomMember>(context)
{
    public const int PlayerBytes = 9; // number, x, y

    private readonly byte[] _body = new byte[TickWorld.PlayerCount * PlayerBytes];
    private readonly (float X, float Y)[] _players = new (float X, float Y)[TickWorld.PlayerCount];

    protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

    protected override void OnCreate() => StartTick(settings.Hertz);

    protected override void OnTick(in RoomTick tick)
    {
        for (int i = 0; i < _players.Length; i++)
        {
            ref (float X, float Y) player = ref _players[i];
            player = (player.X + 1.5f, player.Y - 0.5f);
            Span<byte> place = _body.AsSpan(i * PlayerBytes, PlayerBytes);
            place[0] = (byte)i;
            BinaryPrimitives.WriteSingleLittleEndian(place[1..], player.X);
            BinaryPrimitives.WriteSingleLittleEndian(place[5..], player.Y);
        }

        Broadcast(_body, new FrameHeader(TickWorld.PacketId));
    }
}

internal sealed class StateTickRoom : Room<RoomMember>
{
    private readonly TickWorld _world = new();
    private readonly TickSettings _settings;

    public StateTickRoom(RoomContext context, TickSettings settings)
        : base(context)
    {
        _settings = settings;
        for (int i = 0; i < TickWorld.PlayerCount; i++)
        {
            _world.Players.Add(new TickPlayer());
        }

        AddPart(new StateSync<TickWorld>(_world, new StateOptions { PacketId = TickWorld.PacketId }));
    }

    protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

    protected override void OnCreate() => StartTick(_settings.Hertz);

    protected override void OnTick(in RoomTick tick)
    {
        foreach (TickPlayer player in _world.Players)
        {
            (player.X, player.Y) = (player.X + 1.5f, player.Y - 0.5f);
        }
    }
}

[SyncState]
internal sealed partial class TickWorld
{
    public const ushort PacketId = 100;
    public const int PlayerCount = 8;

    [Sync(1)]
    private readonly SyncList<TickPlayer> _players = new();
}

[SyncState]
internal sealed partial class TickPlayer
{
    [Sync(1)]
    private float _x;

    [Sync(2)]
    private float _y;
}
