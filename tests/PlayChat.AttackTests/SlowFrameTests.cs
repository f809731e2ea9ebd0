using System.Text.Json;
using PlayChat.AttackTests.Harness;
using PlayChat.Protocol;
using PlayChat.RoomProbe;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests;

/// <summary>Frames that arrive one byte at a time.</summary>
[Trait("Tier", "Full")]
public sealed class SlowFrameTests
{
    private static readonly TimeSpan s_pace = TimeSpan.FromMilliseconds(50);

    [Theory]
    [InlineData("sockets", 50)]
    [InlineData("linux", 50)]
    [InlineData("sockets", 2_000, Explicit = true)]
    [InlineData("linux", 2_000, Explicit = true)]
    public async Task A_frame_that_arrives_byte_by_byte_is_closed_as_FrameTimeout(string transport, int connections)
    {
        await using ServerProcess server = await ServerProcess.StartAsync(
            $"--Transport={transport}", "--PlayChat:Connections:FrameTimeout=00:00:01");
        await using RoomBeside room = await RoomBeside.StartAsync(server);
        Baseline before = await room.MeasureBusyAsync(transport, 2, TimeSpan.FromSeconds(0.5));

        Task<CloseCode?[]> attack = Task.WhenAll(Enumerable.Range(0, connections).Select(i => DripAsync(server, $"drip {i}")));
        RoomReport attacked = await room.MeasureAsync(attack);

        attacked.AssertLike(before);
        Assert.All(await attack, static told => Assert.Equal(CloseCode.FrameTimeout, told));
        JsonElement figures = await Aftermath.AssertUnharmedAsync(server, room, players: connections);
        Assert.Equal(connections, ServerProcess.Figure(figures, "closes", "frame_timeout"));
    }

    private static async Task<CloseCode?> DripAsync(ServerProcess server, string name)
    {
        using RawPeer peer = await RawPeer.ConnectAsync(server.Port);
        await peer.SendAsync(HostileFrames.Login(name));
        Assert.Equal((ushort)PacketId.SLoginRes, (await peer.ReceivePacketAsync())?.Id);
        Task<RawPacket?> last = peer.ReceiveLastPacketAsync();
        byte[] frame = RawPeer.Packet((ushort)PacketId.CEchoReq, requestId: 2, new byte[32 * 1024]);
        using var pace = new PeriodicTimer(s_pace);
        for (int i = 0; !last.IsCompleted && await peer.TrySendAsync(frame.AsMemory(i, 1)); i++)
        {
            await pace.WaitForNextTickAsync();
        }

        return await last is { Id: (ushort)PacketId.SCloseNtf } packet ? SCloseNtf.Parser.ParseFrom(packet.Payload).Reason : null;
    }
}
