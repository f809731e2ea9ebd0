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

    internal static void LogIn(this RoomHarness<Room> harness, HarnessClient client) =>
        Assert.Null(harness.Server.Sessions.Bind(client.Session, new SessionUser(1, "ann")));

    /// <summary>Sends a number, and waits for what comes of it.</summary>
    internal static Task SayNumberAsync(this RoomHarness<Room> harness, HarnessClient client)
    {
        Assert.True(client.SendPacket(0L));
        return harness.IdleAsync();
    }
}
