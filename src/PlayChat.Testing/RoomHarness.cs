using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;

namespace PlayChat.Testing;

/// <summary>Starts harnesses; see <see cref="RoomHarness{TRoom}"/>.</summary>
public static class RoomHarness
{
    // A guard against hanging, not a measure.
    internal static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    /// <summary>Starts a server with a room.</summary>
    /// <param name="make">Makes the room.</param>
    /// <param name="packets">The packets of server and clients; none by default. They need <paramref name="configure"/>.</param>
    /// <param name="configure">
    /// Sets the server up: its handlers, and what else the room needs. Without it every frame is posted to the room, see <see
    /// cref="Room.PostFrameAsync"/>.
    /// </param>
    /// <param name="format">How frames look on the wire. Default <see cref="FrameFormat.Packet"/>.</param>
    /// <param name="settings">The room's settings. By its name the server's handlers find it. Default: the name <c>room</c>.</param>
    /// <exception cref="ArgumentException">There are <paramref name="packets"/>, but no <paramref name="configure"/> that handles
    /// them.</exception>
    /// <exception cref="OptionsException">A setting is invalid.</exception>
    /// <exception cref="InvalidOperationException"><paramref name="configure"/> handles no frames, or in two forms. What it or <paramref
    /// name="make"/> throws is thrown here.</exception>
    public static async Task<RoomHarness<TRoom>> StartAsync<TRoom>(
        Func<RoomContext, TRoom> make,
        PacketSet? packets = null,
        Action<PlayChatServer>? configure = null,
        FrameFormat? format = null,
        RoomSettings? settings = null)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(make);
        return await BeginAsync(new RoomHarness<TRoom>(make, packets, configure, format, settings)).ConfigureAwait(false);
    }

    /// <summary>Starts a server for tests of packet handlers that need no room of their own: its room does nothing.</summary>
    /// <param name="packets">The packets of server and clients.</param>
    /// <param name="map">Maps them to handlers, see <see cref="PlayChatServer.OnPackets"/>. What it throws is thrown here.</param>
    /// <param name="configure">Sets up what else the server needs. It calls none of OnPackets, OnFrame and OnFrameAsync: that is done.
    /// Default nothing.</param>
    /// <exception cref="OptionsException">A setting is invalid.</exception>
    /// <exception cref="InvalidOperationException">
    /// <paramref name="map"/> maps a packet twice, or a message that no packet or more than one carries, or an unconstructible class; or
    /// <paramref name="configure"/> handles frames as well.
    /// </exception>
    public static Task<RoomHarness<Room>> StartAsync(PacketSet packets, Action<PacketRouter> map, Action<PlayChatServer>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(map);
        return StartServerAsync(packets, server =>
        {
            server.OnPackets(map);
            configure?.Invoke(server);
        });
    }

    /// <summary>Starts a server that creates its rooms itself: from <paramref name="configure"/>, or when players ask for one.</summary>
    /// <param name="packets">The packets of server and clients.</param>
    /// <param name="configure">Sets the whole server up, as in your program. What it throws is thrown here.</param>
    /// <remarks>The harness's own room does nothing. Find yours in <see cref="PlayChatServer.Rooms"/> of the harness's server.</remarks>
    /// <exception cref="OptionsException">A setting is invalid.</exception>
    /// <exception cref="InvalidOperationException"><paramref name="configure"/> handles no frames, or in two forms.</exception>
    public static Task<RoomHarness<Room>> StartServerAsync(PacketSet packets, Action<PlayChatServer> configure)
    {
        ArgumentNullException.ThrowIfNull(packets);
        ArgumentNullException.ThrowIfNull(configure);
        return StartAsync<Room>(static context => new EmptyRoom(context), packets, configure);
    }

    internal static async Task<RoomHarness<TRoom>> BeginAsync<TRoom>(RoomHarness<TRoom> harness)
        where TRoom : Room
    {
        try
        {
            await harness.Server.StartAsync().ConfigureAwait(false);
        }
        catch
        {
            // why it has not started says more
            await harness.DisposeAsync().AsTask().ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw;
        }

        return harness;
    }

    private sealed class EmptyRoom(RoomContext context) : Room<RoomMember>(context)
    {
        protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);
    }
}
