using PlayChat.Protocol;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>Who says nothing is told, and closed.</summary>
[Trait("Tier", "Full")]
public sealed class DeadlineTests
{
    [Fact]
    public async Task The_silent_are_told_why_and_closed()
    {
        await using ServerProcess server = await ServerProcess.StartAsync(
            "--PlayChat:Sessions:LoginTimeout=00:00:01",
            "--PlayChat:Sessions:IdleTimeout=00:00:02",
            "--PlayChat:Sessions:HeartbeatInterval=00:00:01",
            "--PlayChat:Sessions:SweepInterval=00:00:00.01");
        using RawPeer stranger = await RawPeer.ConnectAsync(server.Port);
        using RawPeer player = await RawPeer.ConnectAsync(server.Port);
        await player.SendAsync(HostileFrames.Login("silent"));
        RawPacket? login = await player.ReceivePacketAsync();

        RawPacket? strangersLast = await stranger.ReceiveLastPacketAsync();
        RawPacket? heartbeat = await player.ReceivePacketAsync();
        RawPacket? playersLast = await player.ReceiveLastPacketAsync();

        Assert.Equal((ushort)PacketId.SLoginRes, login?.Id);
        Assert.Equal(CloseCode.LoginTimeout, CloseCodeOf(strangersLast));
        Assert.Equal((ushort)PacketId.SHeartbeatNtf, heartbeat?.Id);
        Assert.Equal(CloseCode.IdleTimeout, CloseCodeOf(playersLast));
    }

    private static CloseCode CloseCodeOf(RawPacket? packet)
    {
        Assert.Equal((ushort)PacketId.SCloseNtf, packet?.Id);
        return SCloseNtf.Parser.ParseFrom(packet!.Value.Payload).Reason;
    }
}
