using System.Threading.Channels;
using Google.Protobuf;
using PlayChat.Core;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Packets;
using PlayChat.TestUtilities;

namespace PlayChat.Protocol.Tests;

/// <summary>A client whose connection breaks.</summary>
public sealed class ChatClientResumeTests
{
    private static readonly ByteString s_token = ByteString.CopyFromUtf8("the first token, of 32 bytes....");
    private static readonly ByteString s_next = ByteString.CopyFromUtf8("the next token, of 32 bytes too.");

    private readonly Channel<string> _events = Channel.CreateUnbounded<string>();

    [Fact]
    public async Task It_resumes_where_it_was_and_sends_again_what_was_not_answered()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;
        Task<SRoomChatRes> chat = client.ChatAsync(1, "not answered");
        var sent = await ReceiveAsync(server, ChatPackets.CRoomChatReq);
        Task<SListRoomsRes> list = client.ListRoomsAsync();
        await ReceiveAsync(server, ChatPackets.CListRoomsReq);

        connection.Abort();
        Assert.Equal("reconnecting 1 PeerReset", await NextAsync());
        (FakeRequest resume, CResumeReq asked) = await ReceiveWithAsync(server, ChatPackets.CResumeReq);
        Assert.False(client.IsConnected);
        Assert.False(client.SendChat(1, "not now"));
        Task<SRoomChatRes> waits = client.ChatAsync(1, "said meanwhile");
        resume.Answer(ChatPackets.SResumeRes,
            Resumed(new ResumedRoom { RoomId = 1, Member = true, Recovered = true, LatestSequence = 12, MissedMessages = 2 }));
        resume.Connection.SendPacket(
            new SRoomChatNtf { RoomId = 1, Sequence = 11, PreviousSequence = 10, Text = "missed 1" }, type: ChatPackets.SRoomChatNtf);
        resume.Connection.SendPacket(
            new SRoomChatNtf { RoomId = 1, Sequence = 12, PreviousSequence = 11, Text = "missed 2" }, type: ChatPackets.SRoomChatNtf);

        Assert.Equal((s_token, "1:10"), (asked.Token, string.Join(' ', asked.Rooms.Select(room => $"{room.RoomId}:{room.LastSequence}"))));
        await ReceiveAsync(server, ChatPackets.CHeartbeatNtf);
        (FakeRequest again, CRoomChatReq said) = await ReceiveWithAsync(server, ChatPackets.CRoomChatReq);
        FakeRequest listAgain = await server.ReceiveAsync();
        (FakeRequest last, CRoomChatReq lastSaid) = await ReceiveWithAsync(server, ChatPackets.CRoomChatReq);
        again.Answer(ChatPackets.SRoomChatRes, new SRoomChatRes { RoomId = 1, Sequence = 9, Duplicate = true });
        listAgain.Answer(ChatPackets.SListRoomsRes, new SListRoomsRes());
        last.Answer(ChatPackets.SRoomChatRes, new SRoomChatRes { RoomId = 1, Sequence = 13 });
        Assert.Equal(9, (await chat.WaitAsync(TestTimeouts.Hang)).Sequence);
        await list.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(13, (await waits.WaitAsync(TestTimeouts.Hang)).Sequence);
        Assert.Equal(("not answered", sent.ClientMessageId), (said.Text, said.ClientMessageId));
        Assert.NotEqual(0ul, sent.ClientMessageId);
        Assert.Equal("said meanwhile", lastSaid.Text);
        Assert.Equal("reconnected: 1 member recovered 2 missed, 10 to 12", await NextAsync());
        Assert.Equal("missed 1 (0)", await NextAsync());
        Assert.Equal("missed 2 (0)", await NextAsync());
        Assert.Equal(0, client.MissedMessages);

        // The next time with the next token.
        resume.Connection.Abort();
        (_, CResumeReq second) = await ReceiveWithAsync(server, ChatPackets.CResumeReq);
        Assert.Equal((s_next, 12), (second.Token, second.Rooms[0].LastSequence));
    }

    [Fact]
    public async Task What_cannot_be_given_is_told_with_the_resume_and_before_the_next_message()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;

        connection.Abort();
        FakeRequest resume = await server.ReceiveAsync();
        resume.Answer(ChatPackets.SResumeRes, Resumed(new ResumedRoom { RoomId = 1, Member = true, LatestSequence = 20 }));
        resume.Connection.SendPacket(
            new SRoomStateNtf { RoomId = 1, LatestSequence = 20, Members = { new Member { PlayerId = 9, Name = "new" } } },
            type: ChatPackets.SRoomStateNtf);
        resume.Connection.SendPacket(
            new SRoomChatNtf { RoomId = 1, Sequence = 21, PreviousSequence = 20, Text = "live" }, type: ChatPackets.SRoomChatNtf);
        resume.Connection.SendPacket(
            new SRoomChatNtf { RoomId = 1, Sequence = 22, PreviousSequence = 21, Text = "more" }, type: ChatPackets.SRoomChatNtf);

        Assert.Equal("reconnecting 1 PeerReset", await NextAsync());
        Assert.Equal("reconnected: 1 member gap 10 missed, 10 to 20", await NextAsync());
        Assert.Equal("live (10)", await NextAsync());
        Assert.Equal("more (0)", await NextAsync());
        Assert.Equal(10, client.MissedMessages);
        Assert.Equal("new", Assert.Single(client.FindRoom(1)!.Members).Name);
    }

    [Fact]
    public async Task A_leave_that_was_not_answered_is_done_when_the_resume_is_and_a_lost_membership_is_told()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;
        Task join = client.JoinRoomAsync(2);
        (await server.ReceiveAsync()).Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 2, Name = "two", LatestSequence = 5 });
        await join.WaitAsync(TestTimeouts.Hang);
        Task leave = client.LeaveRoomAsync(1);
        await ReceiveAsync(server, ChatPackets.CLeaveRoomReq);

        connection.Abort();
        (FakeRequest resume, CResumeReq asked) = await ReceiveWithAsync(server, ChatPackets.CResumeReq);
        resume.Answer(ChatPackets.SResumeRes, Resumed(new ResumedRoom { RoomId = 2 }));

        await leave.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(2, Assert.Single(asked.Rooms).RoomId);
        Assert.Equal("reconnecting 1 PeerReset", await NextAsync());
        Assert.Equal("reconnected: 2 left gap 0 missed, 5 to 0", await NextAsync());
        Assert.Null(client.FindRoom(1));
        Assert.Null(client.FindRoom(2));
    }

    [Fact]
    public async Task A_leave_that_is_asked_for_during_the_resume_is_asked_of_the_server()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;

        connection.Abort();
        FakeRequest resume = await server.ReceiveAsync();
        Task leave = client.LeaveRoomAsync(1);
        resume.Answer(
            ChatPackets.SResumeRes, Resumed(new ResumedRoom { RoomId = 1, Member = true, Recovered = true, LatestSequence = 10 }));
        await ReceiveAsync(server, ChatPackets.CHeartbeatNtf);
        (FakeRequest asked, _) = await ReceiveWithAsync(server, ChatPackets.CLeaveRoomReq);
        Assert.False(leave.IsCompleted);
        asked.Answer(ChatPackets.SLeaveRoomAck, new SLeaveRoomAck { RoomId = 1 });

        await leave.WaitAsync(TestTimeouts.Hang);
        Assert.Null(client.FindRoom(1));
    }

    [Fact]
    public async Task Attempts_that_fail_are_followed_by_others_until_the_server_refuses()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;
        Task<SListRoomsRes> list = client.ListRoomsAsync();
        await ReceiveAsync(server, ChatPackets.CListRoomsReq);

        connection.Abort();
        (await server.ReceiveAsync()).Connection.Abort();
        (await server.ReceiveAsync()).Refuse(ErrorCode.ServerBusy, "Later.");
        (await server.ReceiveAsync()).Refuse(ErrorCode.ResumeRefused, "Unknown.");
        (FakeRequest login, CLoginReq asked) = await ReceiveWithAsync(server, ChatPackets.CLoginReq);
        login.Refuse(ErrorCode.LoginRefused, "Its time has passed.");

        Assert.Equal("Ann", asked.Name);
        ChatDisconnectedEventArgs end = await client.Closed.WaitAsync(TestTimeouts.Hang);
        Assert.Equal((CloseReason.PeerReset, "Its time has passed."), (end.Reason, end.ServerMessage));
        Assert.Equal("reconnecting 1 PeerReset", await NextAsync());
        Assert.Equal("reconnecting 2 PeerReset", await NextAsync());
        Assert.Equal("reconnecting 3 PeerReset", await NextAsync());
        Assert.Equal("disconnected", await NextAsync());
        await Assert.ThrowsAsync<ChatConnectionClosedException>(() => list.WaitAsync(TestTimeouts.Hang));
    }

    [Theory]
    [InlineData(CloseCode.TakenOver)]
    [InlineData(CloseCode.ServerShutdown)]
    [InlineData(CloseCode.LocalClose)]
    public async Task A_session_that_somebody_ended_is_not_resumed(CloseCode code)
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;

        connection.SendPacket(new SCloseNtf { Reason = code, Message = "The end." }, type: ChatPackets.SCloseNtf);
        connection.Close();

        Assert.Equal((int)code, (int)(await client.Closed.WaitAsync(TestTimeouts.Hang)).Reason);
        Assert.Equal("disconnected", await NextAsync());
    }

    [Fact]
    public async Task Without_Reconnect_a_break_is_the_end()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server, options => options.Reconnect = false);
        await using ChatClient closing = client;

        connection.Abort();

        Assert.Equal(CloseReason.PeerReset, (await client.Closed.WaitAsync(TestTimeouts.Hang)).Reason);
        Assert.Equal("disconnected", await NextAsync());
    }

    [Fact]
    public async Task When_nobody_answers_for_too_long_it_is_the_end()
    {
        FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await StartAsync(server, options => options.ReconnectTimeout = TimeSpan.FromMilliseconds(30));
        await using ChatClient closing = client;

        await server.DisposeAsync();

        Assert.NotEqual(CloseReason.None, (await client.Closed.WaitAsync(TestTimeouts.Hang)).Reason);
    }

    [Fact]
    public async Task Silence_is_a_break_unless_the_server_answers()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        var time = new ManualTimeProvider();
        TimeSpan keepAlive = default;
        (ChatClient client, Connection connection) = await StartAsync(server, options =>
        {
            options.TimeProvider = time;
            options.ReconnectDelay = TimeSpan.Zero;
            keepAlive = options.KeepAlive;
        });
        await using ChatClient closing = client;

        time.Advance(keepAlive); // the server was heard until here
        time.Advance(keepAlive);
        (await ReceiveWithAsync(server, ChatPackets.CEchoReq)).Request.Answer(ChatPackets.SEchoRes, new SEchoRes());
        Task own = client.EchoAsync(new byte[1]); // its answer comes behind that of the probe
        (await ReceiveWithAsync(server, ChatPackets.CEchoReq)).Request.Answer(ChatPackets.SEchoRes, new SEchoRes());
        await own.WaitAsync(TestTimeouts.Hang);
        time.Advance(keepAlive);
        time.Advance(keepAlive);
        await ReceiveAsync(server, ChatPackets.CEchoReq);
        Assert.True(client.IsConnected);
        time.Advance(keepAlive);

        Assert.Equal("reconnecting 1 IdleTimeout", await NextAsync());
        await ReceiveAsync(server, ChatPackets.CResumeReq);
        Assert.Equal(CloseReason.PeerReset, await connection.Closed.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Disposing_logs_out_and_ends_attempts()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        (ChatClient leaving, _) = await StartAsync(server);

        await leaving.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);
        await ReceiveAsync(server, ChatPackets.CLogoutNtf);
        connection.Abort();
        await ReceiveAsync(server, ChatPackets.CResumeReq);
        await client.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(CloseReason.LocalClose, (await client.Closed).Reason);
        Assert.Equal(CloseReason.LocalClose, (await leaving.Closed).Reason);
    }

    private static SResumeRes Resumed(params ResumedRoom[] rooms) => new() { ResumeToken = s_next, Rooms = { rooms } };

    private static async Task<TMessage> ReceiveAsync<TMessage>(FakeChatServer server, PacketType<TMessage> packet)
        where TMessage : IMessage<TMessage>, new() =>
        (await ReceiveWithAsync(server, packet)).Message;

    private static async Task<(FakeRequest Request, TMessage Message)> ReceiveWithAsync<TMessage>(
        FakeChatServer server, PacketType<TMessage> packet)
        where TMessage : IMessage<TMessage>, new()
    {
        FakeRequest request = await server.ReceiveAsync();
        Assert.Equal((PacketId)packet.Id, request.Packet);
        var message = new TMessage();
        message.MergeFrom(request.Body);
        return (request, message);
    }

    /// <summary>A client that has logged in and is in room 1, up to sequence 10.</summary>
    private async Task<(ChatClient Client, Connection Connection)> StartAsync(
        FakeChatServer server, Action<ChatClientOptions>? configure = null)
    {
        (ChatClient client, Connection connection) = await server.ConnectAsync(options =>
        {
            options.ReconnectDelay = TimeSpan.FromMilliseconds(1);
            configure?.Invoke(options);
        });
        Task login = client.LoginAsync("Ann");
        (await server.ReceiveAsync()).Answer(ChatPackets.SLoginRes, new SLoginRes { PlayerId = 7, ResumeToken = s_token });
        await login.WaitAsync(TestTimeouts.Hang);
        Task join = client.JoinRoomAsync(1);
        (await server.ReceiveAsync()).Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 1, Name = "one", LatestSequence = 10 });
        await join.WaitAsync(TestTimeouts.Hang);
        client.Reconnecting += (_, e) => _events.Writer.TryWrite($"reconnecting {e.Attempt} {e.Reason}");
        client.Reconnected += (_, e) => _events.Writer.TryWrite("reconnected: " + string.Join(' ', e.Rooms.Select(room =>
            $"{room.RoomId} {(room.IsMember ? "member" : "left")} {(room.IsRecovered ? "recovered" : "gap")} {room.MissedMessages} missed, "
                + $"{room.LastSequence} to {room.LatestSequence}")));
        client.ChatReceived += (_, e) => _events.Writer.TryWrite($"{e.Message.Text} ({e.MissedBefore})");
        client.Disconnected += (_, _) => _events.Writer.TryWrite("disconnected");
        return (client, connection);
    }

    private Task<string> NextAsync() => _events.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);
}
