using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Dispatch;

/// <summary>What clients of routers send in tests: texts, and numbers.</summary>
internal static class TextPackets
{
    /// <summary>Packet 7; the empty text is malformed.</summary>
    internal static TextPacket Hello { get; } = new(7);

    internal static PacketSet All { get; } = new PacketSet().Add(Hello).Add(new NumberPacket(8));

    /// <summary>A harness whose server handles them.</summary>
    internal static Task<RoomHarness<Room>> StartAsync(Action<PacketRouter> map, Action<PlayChatServer>? configure = null) =>
        RoomHarness.StartAsync(All, map, configure);

    /// <summary>Maps a packet that need not be in the set.</summary>
    internal static PacketRouteBuilder MapPacket<TMessage>(
        this PacketRouter router, PacketType<TMessage> type, Action<PacketContext, TMessage> handler) =>
        router.Add(new PacketRoute<TMessage>.Synchronous(type, handler), handler);

    /// <inheritdoc cref="MapPacket{TMessage}(PacketRouter, PacketType{TMessage}, Action{PacketContext, TMessage})"/>
    internal static PacketRouteBuilder MapPacket<TMessage>(
        this PacketRouter router, PacketType<TMessage> type, Func<PacketContext, TMessage, CancellationToken, ValueTask> handler) =>
        router.Add(new PacketRoute<TMessage>.Asynchronous(type, handler), handler);

    /// <inheritdoc cref="MapPacket{TMessage}(PacketRouter, PacketType{TMessage}, Action{PacketContext, TMessage})"/>
    internal static PacketRouteBuilder MapPacket<TMessage>(
        this PacketRouter router, PacketType<TMessage> type, Func<PacketContext, TMessage, ValueTask> handler) =>
        router.Add(new PacketRoute<TMessage>.Asynchronous(type, (context, message, _) => handler(context, message)), handler);

    internal static void LogIn(this RoomHarness<Room> harness, HarnessClient client) =>
        Assert.Null(harness.Server.Sessions.Bind(client.Session, new SessionUser(1, "ann")));

    /// <summary>Sends a number, and waits for what comes of it.</summary>
    internal static Task SayNumberAsync(this RoomHarness<Room> harness, HarnessClient client)
    {
        Assert.True(client.SendPacket(0L));
        return harness.IdleAsync();
    }
}
