using Google.Protobuf;
using PlayChat.AttackTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests;

/// <summary>Requests to resume that the server must refuse, again and again on one connection before a login.</summary>
public sealed class ResumeGuessTests
{
    private const int Attempts = 200;

    [Theory]
    [InlineData("no message")]
    [InlineData("a bad version")]
    [InlineData("too many rooms")]
    [InlineData("a guessed token")]
    public async Task The_connection_is_closed_after_some_of_them(string kind)
    {
        await using ServerProcess server = await ServerProcess.StartAsync();
        await using RoomBeside room = await RoomBeside.StartAsync(server);
        byte[] request = RawPeer.Packet((ushort)PacketId.CResumeReq, requestId: 1, Payload(kind));

        Task<int> attack = AttackAsync(server, request);
        await room.MeasureAsync(attack);

        int answered = await attack;
        Assert.True(answered < Attempts, $"The server answered {answered} requests and did not close the connection.");
        await Aftermath.AssertUnharmedAsync(server, room);
    }

    private static byte[] Payload(string kind)
    {
        var token = ByteString.CopyFrom(new byte[32]);
        var request = new CResumeReq { Token = token };
        switch (kind)
        {
            case "no message":
                return [0x0F, 1, 2, 3]; // wire type 7, which there is not
            case "a bad version":
                request.ClientVersion = "\u0007";
                break;
            case "too many rooms":
                request.Rooms.AddRange(Enumerable.Range(1, 5000).Select(static id => new RoomPlace { RoomId = id }));
                break;
        }

        return request.ToByteArray();
    }

    /// <returns>How many answers came before the server closed.</returns>
    private static async Task<int> AttackAsync(ServerProcess server, byte[] request)
    {
        using RawPeer peer = await RawPeer.ConnectAsync(server.Port);
        for (int i = 0; i < Attempts; i++)
        {
            await peer.TrySendAsync(request);
            if (await peer.ReceivePacketAsync() is not { } answer || answer.Id == (ushort)PacketId.SCloseNtf)
            {
                return i;
            }
        }

        return Attempts;
    }
}
