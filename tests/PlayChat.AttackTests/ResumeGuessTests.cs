using Google.Protobuf;
using PlayChat.AttackTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests;

/// <summary>Requests to resume that the server must refuse, again and again on one connection before a login.</summary>
[Trait("Tier", "Full")]
public sealed class ResumeGuessTests(ResumeGuessTests.Beside beside) : IClassFixture<ResumeGuessTests.Beside>
{
    private const int Attempts = 200;

    [Theory]
    [InlineData("no message")]
    [InlineData("a bad version")]
    [InlineData("too many rooms")]
    [InlineData("a guessed token")]
    [InlineData("unknown fields")]
    public async Task The_connection_is_closed_after_some_of_them(string kind)
    {
        byte[] request = RawPeer.Packet((ushort)PacketId.CResumeReq, requestId: 1, Payload(kind));

        Task<int> attack = AttackAsync(beside.Server, request);
        await beside.Room.MeasureAsync(attack);

        int answered = await attack;
        Assert.True(answered < Attempts, $"The server answered {answered} requests and did not close the connection.");
        await Aftermath.AssertUnharmedAsync(beside.Server, beside.Room);
    }

    private static byte[] Payload(string kind)
    {
        var token = ByteString.CopyFrom(new byte[32]);
        var request = new CResumeReq { Token = token };
        switch (kind)
        {
            case "no message":
                return [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]; // field 1, of minus one byte
            case "a bad version":
                request.ClientVersion = "\u0007";
                break;
            case "too many rooms":
                request.Rooms.AddRange(Enumerable.Range(1, 200).Select(static id => new RoomPlace { RoomId = id }));
                break;
            case "unknown fields": // 60 KB that take milliseconds to parse
                return [.. Enumerable.Repeat<byte[]>([0xF8, 0x01, 0x01], 20_000).SelectMany(static field => field)]; // field 31, a number
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

    /// <summary>A server for all kinds, and the room beside them.</summary>
    public sealed class Beside : IAsyncLifetime
    {
        internal ServerProcess Server { get; private set; } = null!;

        internal RoomBeside Room { get; private set; } = null!;

        public async ValueTask InitializeAsync()
        {
            Server = await ServerProcess.StartAsync();
            Room = await RoomBeside.StartAsync(Server);
        }

        public async ValueTask DisposeAsync()
        {
            await Room.DisposeAsync();
            await Server.DisposeAsync();
        }
    }
}
