using Google.Protobuf;

namespace PlayChat.Benchmark.Chat;

/// <summary>Players in rooms that talk at a fixed rate; each one checks every message that it receives.</summary>
internal sealed class ChatScenario : FanoutScenario<ChatBot>
{
    private readonly PlayChatConnector _connector;

    public ChatScenario(FanoutSettings settings, ITransport? transport = null)
        : base("chat", settings, Bots(settings))
    {
        _connector = new PlayChatConnector(
            FrameFormat.Packet(ChatLimits.MaxServerFrameBytes),
            static (connection, frame) => connection.Get<ChatBot>()!.OnFrame(connection, frame),
            ConnectionCrowd.CreateOptions(settings.Connections),
            static (connection, reason) => connection.Get<ChatBot>()!.OnClosed(reason),
            transport);
    }

    protected override bool CountsCloses => true;

    // Connects and logs in all, makes the rooms, and then lets all others join.
    public override async Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken)
    {
        string run = Guid.NewGuid().ToString("N")[..8];
        int ready = 0;
        int rooms = Settings.Rooms;
        await ConnectionCrowd.ForEachAsync(
            Links.Length,
            async (index, token) =>
            {
                ChatBot bot = Links[index];
                Connection connection = await ConnectionCrowd.ConnectAsync(_connector, NodeOf(index) ?? server, bot, token);
                string name = $"chat-{run}-{index}";
                await bot.LoginAsync(connection, name, token);
                if (index < rooms)
                {
                    await bot.CreateRoomAsync(name, token);
                }

                connected(Interlocked.Increment(ref ready));
            },
            cancellationToken);
        await ConnectionCrowd.ForEachAsync(
            Links.Length - rooms, (offset, token) => Links[rooms + offset].JoinRoomAsync(token), cancellationToken);
        await ConnectionCrowd.ForEachAsync(
            Stalled.Length,
            async (index, token) =>
            {
                string name = $"stalled-{run}-{index}";
                await StalledLogin.JoinAsync(Stalled[index], server, name, Load.Roster.RoomIds[index % rooms], token);
                connected(Interlocked.Increment(ref ready));
            },
            cancellationToken);
    }

    protected override ValueTask DisposeConnectionsAsync() => _connector.DisposeAsync();

    private static Func<int, FanoutLoad, ChatBot> Bots(FanoutSettings settings)
    {
        var roster = new ChatRoster(settings.Clients, settings.Rooms);
        VerifiedMessages?[] verified = Enumerable.Range(0, settings.Rooms)
            .Select(room => roster.MembersOf(room) < VerifiedMessages.MinMembers ? null : new VerifiedMessages())
            .ToArray();
        return (index, load) => new ChatBot(
            index, load, new DeliveryChecker(load.Roster, load.Texts, index, load.Log, verified[load.Roster.RoomOf(index)]));
    }

    // Neighbours of a room are on different nodes, and so are the creators of the rooms.
    private ServerAddress? NodeOf(int client) => Settings.Nodes.Count == 0
        ? null
        : Settings.Nodes[(Load.Roster.RoomOf(client) + Load.Roster.PlaceOf(client)) % Settings.Nodes.Count];
}

internal static class StalledLogin
{
    private const int HeaderBytes = 8;

    private static readonly FrameFormat s_format = FrameFormat.Packet();

    public static async Task JoinAsync(
        StalledReader peer, ServerAddress server, string name, long roomId, CancellationToken cancellationToken)
    {
        try
        {
            await peer.ConnectAsync(server, cancellationToken);
            await using var stream = new NetworkStream(peer.Socket, ownsSocket: false);
            await RequestAsync(stream, PacketId.CLoginReq, new CLoginReq { Name = name }, cancellationToken);
            await RequestAsync(stream, PacketId.CJoinRoomReq, new CJoinRoomReq { RoomId = roomId }, cancellationToken);
        }
        catch (IOException e)
        {
            throw new RunFailedException($"A stalled reader's connection ended before it was in its room: {e.Message}");
        }
    }

    private static async Task RequestAsync(NetworkStream stream, PacketId id, IMessage request, CancellationToken cancellationToken)
    {
        byte[] packet = new byte[s_format.GetEncodedBytes(request.CalculateSize())];
        s_format.Encode(request.ToByteArray(), new FrameHeader((ushort)id, Handshake.RequestId), packet);
        await stream.WriteAsync(packet, cancellationToken);
        byte[] header = new byte[HeaderBytes];
        PacketId answer;
        byte[] body;
        do
        {
            await stream.ReadExactlyAsync(header, cancellationToken);
            answer = (PacketId)BinaryPrimitives.ReadUInt16BigEndian(header.AsSpan(4));
            body = new byte[BinaryPrimitives.ReadInt32BigEndian(header) + sizeof(int) - HeaderBytes];
            await stream.ReadExactlyAsync(body, cancellationToken);
        }
        while (BinaryPrimitives.ReadUInt16BigEndian(header.AsSpan(6)) != Handshake.RequestId);
        if (answer == PacketId.SErrorNtf)
        {
            throw new RunFailedException($"The server refused a stalled reader's {id}: {SErrorNtf.Parser.ParseFrom(body).Message}");
        }
    }
}
