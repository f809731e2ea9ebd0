using System.Text.Json;
using Google.Protobuf;
using PlayChat.AttackTests.Harness;
using PlayChat.Protocol;
using PlayChat.RoomProbe;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests;

/// <summary>Peers that ask for much and read nothing.</summary>
[Trait("Tier", "Full")]
public sealed class NonReaderTests
{
    private const int EchoBytes = 32 * 1024;

    // Far more than the kernel takes, and less than MaxOutboundBytes: only SendTimeout can close them.
    private const int Echoes = 16;

    private static readonly byte[] s_echo = RawPeer.Packet(
        (ushort)PacketId.CEchoReq, requestId: 2, new CEchoReq { Payload = ByteString.CopyFrom(new byte[EchoBytes]) }.ToByteArray());

    [Theory]
    [InlineData("sockets", 50)]
    [InlineData("linux", 50)]
    [InlineData("sockets", 500, Explicit = true)]
    [InlineData("linux", 500, Explicit = true)]
    public async Task Peers_that_read_nothing_cost_a_bounded_memory_and_are_closed_after_SendTimeout(string transport, int connections)
    {
        await using ServerProcess server = await ServerProcess.StartAsync(
            $"--Transport={transport}", "--PlayChat:Connections:SendTimeout=00:00:01",
            "--PlayChat:Transport:SendBufferBytes=8192", "--PlayChat:Sessions:ResumeWindow=00:00:00");
        await using RoomBeside room = await RoomBeside.StartAsync(server);
        Baseline before = await room.MeasureBusyAsync(transport, 2, TimeSpan.FromSeconds(0.5));
        List<RawPeer> peers = [];
        try
        {
            Task attack = Task.Run(async () =>
            {
                for (int i = 0; i < connections; i++)
                {
                    RawPeer peer = await RawPeer.ConnectAsync(server.Port, receiveBufferBytes: 4096);
                    peers.Add(peer);
                    await peer.SendAsync(HostileFrames.Login($"deaf {i}"));
                    Assert.Equal((ushort)PacketId.SLoginRes, (await peer.ReceivePacketAsync())?.Id);
                    for (int j = 0; j < Echoes; j++)
                    {
                        await peer.TrySendAsync(s_echo);
                    }
                }

                await server.WaitForFiguresAsync(figures => ServerProcess.Figure(figures, "now", "connections") == room.Members);
            });

            RoomReport attacked = await room.MeasureAsync(attack);

            attacked.AssertLike(before);
        }
        finally
        {
            peers.ForEach(static peer => peer.Reset());
        }

        JsonElement figures = await Aftermath.AssertUnharmedAsync(server, room, players: connections);
        Assert.Equal(connections, ServerProcess.Figure(figures, "closes", "slow_consumer"));
        Assert.Equal(0, ServerProcess.Figure(figures, "now", "send_buffers_in_use"));
    }
}
