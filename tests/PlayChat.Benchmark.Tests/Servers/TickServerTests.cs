using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using PlayChat.Benchmark.Servers;
using PlayChat.Core.Hosting;
using PlayChat.State;
using PlayChat.TestUtilities;
using PlayChat.Transport.Linux;

namespace PlayChat.Benchmark.Tests.Servers;

public sealed class TickServerTests
{
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task The_members_of_a_room_see_its_players_move(bool withState, bool isNative)
    {
        Assert.SkipWhen(isNative && !LinuxTransport.IsSupported, "The native transport needs Linux.");
        await using PlayChatServer server = await TickServer.StartAsync(new TickSettings(0, 1, 100, withState, isNative));
        using var client = new TcpClient();
        await client.ConnectAsync((IPEndPoint)server.EndPoints[0]);
        NetworkStream stream = client.GetStream();
        var replica = new StateReplica<TickWorld>(new TickWorld());
        List<float> seen = [];

        while (seen.Count < 3)
        {
            byte[] body = await ReadAsync(stream).WaitAsync(TestTimeouts.Hang);
            if (withState)
            {
                Assert.NotEqual(StateApplyResult.Malformed, replica.Apply(body));
            }

            seen.Add(withState ? replica.State.Players[7].X : BinaryPrimitives.ReadSingleLittleEndian(body.AsSpan(^8)));
        }

        Assert.Equal([seen[0], seen[0] + 1.5f, seen[0] + 3f], seen);
    }

    private static async Task<byte[]> ReadAsync(NetworkStream stream)
    {
        byte[] head = new byte[8]; // length, which counts the rest of them, packet, request
        await stream.ReadExactlyAsync(head);
        Assert.Equal(TickWorld.PacketId, BinaryPrimitives.ReadUInt16BigEndian(head.AsSpan(4)));
        byte[] body = new byte[BinaryPrimitives.ReadInt32BigEndian(head) - 4];
        await stream.ReadExactlyAsync(body);
        return body;
    }
}
