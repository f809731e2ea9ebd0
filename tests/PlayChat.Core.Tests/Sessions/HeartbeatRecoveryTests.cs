using PlayChat.Core.Connections;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Tests.Dispatch;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Sessions;

/// <summary>
/// A client that resumes tells how many frames it has received. Heartbeat packets do not count, neither for it nor for the server:
/// proto/PROTOCOL.md, "Heartbeat packet".
/// </summary>
public sealed class HeartbeatRecoveryTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Heartbeats_of_either_side_do_not_count(bool serverAsks)
    {
        await using RoomHarness<Room> harness = await RoomHarness.StartAsync(new PacketSet().Add(new TextPacket(7)), static _ => { });
        HarnessClient client = await harness.ConnectAsync();
        Connection there = client.Session.Connection;

        there.Send("1"u8);
        Heartbeat.Ask(serverAsks ? there : client.Connection);
        there.Send("2"u8);
        await harness.IdleAsync();

        await Eventually.TrueAsync(() => client.Connection.FramesReceived == 2);
        Assert.True(there.HasSentExactly(2));
        Assert.False(there.HasSentExactly(3));
        Assert.Equal(3, there.Traffic.FramesSent);
    }

    [Theory]
    [InlineData(CloseReason.IdleTimeout)]
    [InlineData(CloseReason.FrameTimeout)]
    [InlineData(CloseReason.HandlerFault)]
    public async Task The_notice_of_a_close_after_which_a_client_returns_does_not_count(CloseReason reason)
    {
        await using RoomHarness<Room> harness = await RoomHarness.StartAsync(new PacketSet().Add(new TextPacket(7)), static _ => { });
        HarnessClient client = await harness.ConnectAsync();
        Connection there = client.Session.Connection;

        there.Send("1"u8);
        there.TellAndClose(reason);

        Assert.Equal(reason, await client.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, client.Connection.FramesReceived);
        Assert.True(there.HasSentExactly(1));
        Assert.Equal(2, there.Traffic.FramesSent);
    }
}
