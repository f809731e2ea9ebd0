using System.Threading.Channels;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Protocol.Tests;

public sealed class ChatClientEventTests
{
    [Fact]
    public async Task Events_are_raised_in_the_order_of_arrival_and_the_end_is_the_last()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync();
        await using ChatClient closing = client;
        var events = new List<string>();
        client.ChatReceived += (_, args) => events.Add($"chat {args.Message.Text}");
        client.MemberJoined += (_, args) => events.Add($"joined {args.Message.Member.Name}");
        client.ServerNotice += (_, args) => events.Add($"notice {args.Code} {args.PacketId}");
        client.Disconnected += (_, args) => events.Add($"end {args.Reason} {args.ServerMessage}");

        connection.SendPacket(new SRoomChatNtf { Text = "one" }, type: ChatPackets.SRoomChatNtf);
        connection.SendPacket(new SJoinRoomNtf { Member = new Member { Name = "Ann" } }, type: ChatPackets.SJoinRoomNtf);
        connection.SendPacket(new SErrorNtf { Code = ErrorCode.NotInRoom, Message = "Join first.", PacketId = (uint)PacketId.CRoomChatReq },
            type: ChatPackets.SErrorNtf);
        connection.SendPacket(new SNoticeNtf { Message = "Maintenance at noon." }, type: ChatPackets.SNoticeNtf);
        connection.SendPacket(new SRoomChatNtf { Text = "two" }, type: ChatPackets.SRoomChatNtf);
        connection.SendPacket(new SCloseNtf { Reason = CloseCode.ServerShutdown, Message = "Back soon." }, type: ChatPackets.SCloseNtf);
        connection.Close();
        ChatDisconnectedEventArgs end = await client.Closed.WaitAsync(TestTimeouts.Hang);

        Assert.Equal(
            [
                "chat one", "joined Ann", "notice NotInRoom CRoomChatReq", "notice None SNoticeNtf", "chat two",
                "end ServerShutdown Back soon.",
            ],
            events);
        Assert.Equal(CloseReason.ServerShutdown, end.Reason);
    }

    [Fact]
    public async Task A_handler_that_throws_does_not_end_the_client()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync();
        await using ChatClient closing = client;
        var received = Channel.CreateUnbounded<string>();
        client.ChatReceived += (_, args) =>
        {
            received.Writer.TryWrite(args.Message.Text);
            throw new InvalidOperationException("a handler's own fault");
        };
        client.Disconnected += (_, _) => throw new InvalidOperationException("and another");

        connection.SendPacket(new SRoomChatNtf { Text = "one" }, type: ChatPackets.SRoomChatNtf);
        connection.SendPacket(new SRoomChatNtf { Text = "two" }, type: ChatPackets.SRoomChatNtf);

        Assert.Equal("one", await received.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.Equal("two", await received.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang));
        connection.Close();
        Assert.Equal(CloseReason.PeerClosed, (await client.Closed.WaitAsync(TestTimeouts.Hang)).Reason);
    }

    [Fact]
    public async Task A_heartbeat_is_answered()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync();
        await using ChatClient closing = client;

        connection.SendPacket(new SHeartbeatNtf(), type: ChatPackets.SHeartbeatNtf);
        FakeRequest answer = await server.ReceiveAsync();

        Assert.Equal(PacketId.CHeartbeatNtf, answer.Packet);
        Assert.Equal(0, answer.RequestId);
    }

    [Fact]
    public async Task Messages_that_are_missing_in_a_room_are_counted()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync();
        await using ChatClient closing = client;
        var missed = new List<long>();
        client.ChatReceived += (_, args) => missed.Add(args.MissedBefore);
        client.MemberJoined += (_, args) => missed.Add(args.MissedBefore);
        await JoinAsync(client, server, roomId: 1, latestSequence: 10);
        await JoinAsync(client, server, roomId: 2, latestSequence: 0);

        Send(connection, roomId: 1, sequence: 11, previous: 10); // nothing missing
        Send(connection, roomId: 1, sequence: 14, previous: 13); // 12 and 13 are
        Send(connection, roomId: 2, sequence: 1, previous: 0); // another room has its own count
        Send(connection, roomId: 1, sequence: 12, previous: 11); // late: no new hole
        connection.SendPacket(
            new SJoinRoomNtf { RoomId = 1, Member = new Member(), Sequence = 16, PreviousSequence = 15 }, type: ChatPackets.SJoinRoomNtf);
        Send(connection, roomId: 3, sequence: 50, previous: 49); // a room that the client is not in
        connection.Close();
        await client.Closed.WaitAsync(TestTimeouts.Hang);

        Assert.Equal([0, 2, 0, 0, 1, 0], missed);
        Assert.Equal(3, client.MissedMessages);
        Assert.Equal(3, client.FindRoom(1)?.MissedMessages);
        Assert.Equal(16, client.FindRoom(1)?.LatestSequence);
        Assert.Equal(0, client.FindRoom(2)?.MissedMessages);
    }

    [Fact]
    public async Task The_members_of_a_room_follow_joins_and_leaves_until_the_client_leaves_itself()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync();
        await using ChatClient closing = client;
        Task<SCreateRoomRes> create = client.CreateRoomAsync("lobby");
        FakeRequest request = await server.ReceiveAsync();
        request.Answer(
            ChatPackets.SCreateRoomRes,
            new SCreateRoomRes { RoomId = 1, Name = "lobby", Members = { new Member { PlayerId = 7, Name = "민수" } } });
        await create.WaitAsync(TestTimeouts.Hang);
        var seen = Channel.CreateUnbounded<string>();
        client.MemberJoined += (_, _) => seen.Writer.TryWrite(MembersOf(client));
        client.ChatReceived += (_, _) => seen.Writer.TryWrite(MembersOf(client));

        var ann = new Member { PlayerId = 8, Name = "Ann" };
        connection.SendPacket(new SJoinRoomNtf { RoomId = 1, Member = ann, Sequence = 1 }, type: ChatPackets.SJoinRoomNtf);
        connection.SendPacket(
            new SRoomChatNtf { RoomId = 1, Sequence = 2, PreviousSequence = 1, System = true, Left = ann }, type: ChatPackets.SRoomChatNtf);

        Assert.Equal("lobby: 민수, Ann", await seen.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.Equal("lobby: 민수", await seen.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang));
        Task leave = client.LeaveRoomAsync(1);
        (await server.ReceiveAsync()).Answer(ChatPackets.SLeaveRoomAck, new SLeaveRoomAck { RoomId = 1 });
        await leave.WaitAsync(TestTimeouts.Hang);
        Assert.Null(client.FindRoom(1));
    }

    [Fact]
    public async Task A_packet_of_a_newer_server_is_ignored()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync();
        await using ChatClient closing = client;

        connection.Send("anything"u8, new FrameHeader(PacketId: 1999, RequestId: 1));
        connection.SendPacket(new SHeartbeatNtf(), type: ChatPackets.SHeartbeatNtf);

        Assert.Equal(PacketId.CHeartbeatNtf, (await server.ReceiveAsync()).Packet);
    }

    [Theory]
    [InlineData((ushort)PacketId.SRoomChatNtf, 0)]
    [InlineData((ushort)PacketId.SErrorNtf, 0)]
    [InlineData((ushort)PacketId.SCloseNtf, 0)]
    [InlineData((ushort)PacketId.SLoginRes, 1)]
    public async Task A_payload_that_is_no_message_ends_the_connection(ushort packetId, ushort requestId)
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync();
        await using ChatClient closing = client;

        connection.Send([0x0a, 0x05, 0x68], new FrameHeader(packetId, requestId));

        Assert.Equal(CloseReason.ProtocolViolation, (await client.Closed.WaitAsync(TestTimeouts.Hang)).Reason);
    }

    [Fact]
    public async Task An_answer_of_the_wrong_kind_ends_the_connection_and_the_request()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await server.ConnectAsync();
        await using ChatClient closing = client;

        Task join = client.JoinRoomAsync(1);
        (await server.ReceiveAsync()).Answer(ChatPackets.SEchoRes, new SEchoRes());

        var exception = await Assert.ThrowsAsync<ChatConnectionClosedException>(() => join.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.ProtocolViolation, exception.Reason);
    }

    private static string MembersOf(ChatClient client)
    {
        JoinedRoom room = client.FindRoom(1)!;
        return $"{room.Name}: {string.Join(", ", room.Members.Select(member => member.Name))}";
    }

    private static void Send(Connection connection, long roomId, long sequence, long previous) =>
        connection.SendPacket(
            new SRoomChatNtf { RoomId = roomId, Sequence = sequence, PreviousSequence = previous }, type: ChatPackets.SRoomChatNtf);

    private static async Task JoinAsync(ChatClient client, FakeChatServer server, long roomId, long latestSequence)
    {
        Task join = client.JoinRoomAsync(roomId);
        FakeRequest request = await server.ReceiveAsync();
        request.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = roomId, LatestSequence = latestSequence });
        await join.WaitAsync(TestTimeouts.Hang);
    }
}
