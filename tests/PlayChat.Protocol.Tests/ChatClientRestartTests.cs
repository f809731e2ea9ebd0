using System.Threading.Channels;
using Google.Protobuf;
using PlayChat.Core;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Packets;
using PlayChat.TestUtilities;

namespace PlayChat.Protocol.Tests;

/// <summary>A client whose server does not know its session any more, or stops and comes back.</summary>
public sealed class ChatClientRestartTests
{
    private static readonly ByteString s_token = ByteString.CopyFromUtf8("a token, of 32 bytes............");

    private readonly Channel<string> _events = Channel.CreateUnbounded<string>();

    [Fact]
    public async Task It_logs_in_again_joins_its_room_and_gets_what_was_missed_before_what_is_live()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;
        Task<SRoomChatRes> uncertain = client.ChatAsync(1, "sent, not answered");
        await ReceiveAsync(server, ChatPackets.CRoomChatReq);

        connection.Abort();
        (FakeRequest resume, _) = await ReceiveAsync(server, ChatPackets.CResumeReq);
        Task<SRoomChatRes> waits = client.ChatAsync(1, "said meanwhile");
        resume.Refuse(ErrorCode.ResumeRefused, "Unknown.");
        (FakeRequest login, CLoginReq credentials) = await ReceiveAsync(server, ChatPackets.CLoginReq);
        login.Answer(ChatPackets.SLoginRes, new SLoginRes { PlayerId = 7, ResumeToken = s_token });
        (FakeRequest join, CJoinRoomReq joined) = await ReceiveAsync(server, ChatPackets.CJoinRoomReq);
        join.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 1, Name = "one", LatestSequence = 20 });
        SendChat(join.Connection, 21, 20, "live");
        join.Connection.SendPacket(new SDirectChatNtf { PlayerId = 8, Text = "psst" }, type: ChatPackets.SDirectChatNtf);
        Assert.Equal("reconnecting 1 PeerReset", await NextAsync());
        Assert.Equal("direct psst", await NextAsync()); // not held back until the rooms are complete
        (FakeRequest history, CRoomHistoryReq first) = await ReceiveAsync(server, ChatPackets.CRoomHistoryReq);
        history.Answer(ChatPackets.SRoomHistoryRes, Page(more: true, complete: true, (12, "missed 1", false), (13, "a leave", true)));
        (history, CRoomHistoryReq second) = await ReceiveAsync(server, ChatPackets.CRoomHistoryReq);
        history.Answer(ChatPackets.SRoomHistoryRes, Page(more: false, complete: true, (19, "missed 2", false), (21, "live", false)));
        (FakeRequest echo, _) = await ReceiveAsync(server, ChatPackets.CEchoReq);
        SendChat(echo.Connection, 22, 21, "more");
        echo.Answer(ChatPackets.SEchoRes, new SEchoRes());
        await ReceiveAsync(server, ChatPackets.CHeartbeatNtf);
        (FakeRequest said, CRoomChatReq saying) = await ReceiveAsync(server, ChatPackets.CRoomChatReq);
        said.Answer(ChatPackets.SRoomChatRes, new SRoomChatRes { RoomId = 1, Sequence = 23 });

        Assert.Equal(("Ann", "secret", true), (credentials.Name, credentials.Password, credentials.AnnouncesLogout));
        Assert.Equal((1, 10, 13), (joined.RoomId, first.AfterSequence, second.AfterSequence));
        Assert.Equal("said meanwhile", saying.Text);
        Assert.Equal(23, (await waits.WaitAsync(TestTimeouts.Hang)).Sequence);
        await Assert.ThrowsAsync<ChatConnectionClosedException>(() => uncertain.WaitAsync(TestTimeouts.Hang));
        Assert.Equal("reconnected: 1 member recovered 2 missed, 10 to 20", await NextAsync());
        Assert.Equal("missed 1 (0)", await NextAsync());
        Assert.Equal("missed 2 (0)", await NextAsync());
        Assert.Equal("live (0)", await NextAsync());
        Assert.Equal("more (0)", await NextAsync());
        Assert.Equal(0, client.MissedMessages);
    }

    [Theory]
    [InlineData(20, false, "gap 10 missed, 10 to 20", "live (10)")] // some is not stored, or was lost
    [InlineData(100_000_011, true, "gap 0 missed, 10 to 100000011", "live (0)")] // the server was killed
    [InlineData(9, true, "gap 0 missed, 10 to 9", "live (0)")] // another database
    public async Task What_the_server_may_have_lost_is_told(long latest, bool complete, string recovery, string live)
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;

        connection.Abort();
        FakeRequest join = await LogInAgainAsync(server);
        join.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 1, Name = "one", LatestSequence = latest });
        FakeRequest next = await server.ReceiveAsync();
        if (next.Packet == PacketId.CRoomHistoryReq)
        {
            next.Answer(ChatPackets.SRoomHistoryRes, Page(more: false, complete, (12, "missed", false)));
            next = await server.ReceiveAsync();
        }

        SendChat(next.Connection, latest + 1, latest, "live");
        next.Answer(ChatPackets.SEchoRes, new SEchoRes());

        Assert.Equal("reconnecting 1 PeerReset", await NextAsync());
        Assert.Equal($"reconnected: 1 member {recovery}", await NextAsync());
        Assert.Equal(live, await NextAsync());
    }

    [Fact]
    public async Task A_room_that_is_gone_is_told_and_a_leave_that_was_asked_for_is_done()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;
        Task join = client.JoinRoomAsync(2);
        (await server.ReceiveAsync()).Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 2, Name = "two", LatestSequence = 5 });
        await join.WaitAsync(TestTimeouts.Hang);
        Task leave = client.LeaveRoomAsync(2);
        await ReceiveAsync(server, ChatPackets.CLeaveRoomReq);

        connection.Abort();
        (await LogInAgainAsync(server)).Refuse(ErrorCode.RoomNotFound, "No such room.");
        (await server.ReceiveAsync()).Answer(ChatPackets.SEchoRes, new SEchoRes());

        await leave.WaitAsync(TestTimeouts.Hang);
        Assert.Equal("reconnecting 1 PeerReset", await NextAsync());
        Assert.Equal("reconnected: 1 left gap 0 missed, 10 to 0", await NextAsync());
        Assert.Null(client.FindRoom(1));
        Assert.Null(client.FindRoom(2));
    }

    [Fact]
    public async Task After_a_restart_of_the_server_members_that_were_there_before_return_and_others_join()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;
        client.MemberJoined += (_, e) => _events.Writer.TryWrite($"{e.Message.Member.Name} {(e.IsReturn ? "returned" : "joined")}");
        SendJoin(connection, 11, 8, "Bob");
        Assert.Equal("Bob joined", await NextAsync());

        connection.Abort();
        (FakeRequest resume, _) = await ReceiveAsync(server, ChatPackets.CResumeReq);
        resume.Answer(ChatPackets.SResumeRes, new SResumeRes { PlayerId = 7, ResumeToken = s_token, Restored = true });
        (FakeRequest join, _) = await ReceiveAsync(server, ChatPackets.CJoinRoomReq);
        join.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 1, Name = "one", LatestSequence = 11 });
        SendJoin(join.Connection, 12, 8, "Bob");
        (await server.ReceiveAsync()).Answer(ChatPackets.SEchoRes, new SEchoRes());
        SendJoin(join.Connection, 13, 9, "Carl");
        SendJoin(join.Connection, 14, 8, "Bob");

        Assert.Equal("reconnecting 1 PeerReset", await NextAsync());
        Assert.Equal("reconnected: 1 member recovered 0 missed, 11 to 11", await NextAsync());
        Assert.Equal("Bob returned", await NextAsync());
        Assert.Equal("Carl joined", await NextAsync());
        Assert.Equal("Bob joined", await NextAsync());
    }

    [Fact]
    public async Task A_login_that_registers_nobody_and_takes_over_from_nobody_does_neither_when_it_is_repeated()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync(
            static options => options.ReconnectDelay = TimeSpan.FromMilliseconds(1));
        await using ChatClient closing = client;
        Task login = client.LoginAsync(new CLoginReq { Name = "Ann", NoRegistration = true, NoTakeover = true });
        (FakeRequest asked, CLoginReq first) = await ReceiveAsync(server, ChatPackets.CLoginReq);
        asked.Answer(ChatPackets.SLoginRes, new SLoginRes { PlayerId = 7, ResumeToken = s_token });
        await login.WaitAsync(TestTimeouts.Hang);

        connection.Abort();
        (await ReceiveAsync(server, ChatPackets.CResumeReq)).Request.Refuse(ErrorCode.ResumeRefused, "Unknown.");
        (_, CLoginReq again) = await ReceiveAsync(server, ChatPackets.CLoginReq);

        Assert.Equal((true, true, true), (first.NoRegistration, first.NoTakeover, first.AnnouncesLogout));
        Assert.Equal(("Ann", true, true, true), (again.Name, again.NoRegistration, again.NoTakeover, again.AnnouncesLogout));
    }

    [Fact]
    public async Task A_client_that_stays_logged_in_logs_in_again_by_its_newest_token_and_without_the_password()
    {
        ByteString[] tokens = [.. Enumerable.Range(1, 3).Select(static i => ByteString.CopyFrom((byte)i))];
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync(
            static options => options.ReconnectDelay = TimeSpan.FromMilliseconds(1));
        await using ChatClient closing = client;
        var returned = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        client.Reconnected += (_, _) => returned.TrySetResult();
        Task login = client.LoginAsync(new CLoginReq { Name = "Ann", Password = "secret", Keep = true, MustRegister = true });
        (FakeRequest asked, CLoginReq first) = await ReceiveAsync(server, ChatPackets.CLoginReq);
        asked.Answer(ChatPackets.SLoginRes, new SLoginRes { PlayerId = 7, ResumeToken = s_token, LoginToken = tokens[0] });
        await login.WaitAsync(TestTimeouts.Hang);
        Task change = client.ChangePasswordAsync("secret", "new secret");
        (await server.ReceiveAsync()).Answer(ChatPackets.SChangePasswordRes, new SChangePasswordRes { LoginToken = tokens[1] });
        await change.WaitAsync(TestTimeouts.Hang);
        ByteString changed = client.Login!.LoginToken;

        connection.Abort();
        (await ReceiveAsync(server, ChatPackets.CResumeReq)).Request.Refuse(ErrorCode.ResumeRefused, "Unknown.");
        (FakeRequest repeated, CLoginReq again) = await ReceiveAsync(server, ChatPackets.CLoginReq);
        repeated.Answer(ChatPackets.SLoginRes, new SLoginRes { PlayerId = 7, ResumeToken = s_token, LoginToken = tokens[2] });
        (await ReceiveAsync(server, ChatPackets.CEchoReq)).Request.Answer(ChatPackets.SEchoRes, new SEchoRes());
        await returned.Task.WaitAsync(TestTimeouts.Hang);
        ByteString newest = client.Login!.LoginToken;
        await ReceiveAsync(server, ChatPackets.CHeartbeatNtf);
        Task forget = client.ForgetDeviceAsync();
        (FakeRequest end, CEndDeviceReq own) = await ReceiveAsync(server, ChatPackets.CEndDeviceReq);
        end.Answer(ChatPackets.SEndDeviceRes, new SEndDeviceRes());
        await forget.WaitAsync(TestTimeouts.Hang);

        Assert.Equal((true, true, "secret"), (first.Keep, first.MustRegister, first.Password));
        Assert.Equal((tokens[1], false, false), (again.LoginToken, again.HasPassword, again.MustRegister));
        Assert.Equal((tokens[1], tokens[2]), (changed, newest));
        Assert.Equal((0, ByteString.Empty), (own.DeviceId, client.Login!.LoginToken));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_handlers_of_the_return_send_goes_out(bool hasRestarted)
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;
        client.Reconnected += (_, _) => client.MarkRead(1, 10);

        connection.Abort();
        (FakeRequest resume, _) = await ReceiveAsync(server, ChatPackets.CResumeReq);
        resume.Answer(ChatPackets.SResumeRes, new SResumeRes
        {
            ResumeToken = s_token,
            Restored = hasRestarted,
            Rooms = { new ResumedRoom { RoomId = 1, Member = !hasRestarted, Recovered = !hasRestarted, LatestSequence = 10 } },
        });
        if (hasRestarted)
        {
            (FakeRequest join, _) = await ReceiveAsync(server, ChatPackets.CJoinRoomReq);
            join.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 1, Name = "one", LatestSequence = 10 });
            (await ReceiveAsync(server, ChatPackets.CEchoReq)).Request.Answer(ChatPackets.SEchoRes, new SEchoRes());
        }

        await ReceiveAsync(server, ChatPackets.CHeartbeatNtf);
        (_, CReadMarkNtf mark) = await ReceiveAsync(server, ChatPackets.CReadMarkNtf);
        Assert.Equal(10, mark.Sequence);
    }

    [Fact]
    public async Task An_attempt_that_fails_after_the_login_is_repeated_from_the_login_on()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;

        connection.Abort();
        FakeRequest join = await LogInAgainAsync(server);
        join.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 1, Name = "one", LatestSequence = 20 });
        (await ReceiveAsync(server, ChatPackets.CRoomHistoryReq)).Request.Connection.Abort();
        (FakeRequest login, _) = await ReceiveAsync(server, ChatPackets.CLoginReq);
        login.Answer(ChatPackets.SLoginRes, new SLoginRes { PlayerId = 7, ResumeToken = s_token });
        (join, _) = await ReceiveAsync(server, ChatPackets.CJoinRoomReq);
        join.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 1, Name = "one", LatestSequence = 30 });
        (FakeRequest history, CRoomHistoryReq asked) = await ReceiveAsync(server, ChatPackets.CRoomHistoryReq);
        history.Answer(ChatPackets.SRoomHistoryRes, Page(more: false, complete: true, (12, "missed", false)));
        (await server.ReceiveAsync()).Answer(ChatPackets.SEchoRes, new SEchoRes());

        Assert.Equal(10, asked.AfterSequence);
        Assert.Equal("reconnecting 1 PeerReset", await NextAsync());
        Assert.Equal("reconnecting 2 PeerReset", await NextAsync());
        Assert.Equal("reconnected: 1 member recovered 1 missed, 10 to 30", await NextAsync());
        Assert.Equal("missed (0)", await NextAsync());
    }

    [Fact]
    public async Task A_restored_session_without_a_login_is_resumed_again_when_the_attempt_fails()
    {
        var newest = ByteString.CopyFromUtf8("the token of the restored one...");
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server, loginToken: ByteString.CopyFromUtf8("kept"));
        await using ChatClient closing = client;
        Task forget = client.ForgetDeviceAsync(); // the only login that it could repeat
        (await ReceiveAsync(server, ChatPackets.CEndDeviceReq)).Request.Answer(ChatPackets.SEndDeviceRes, new SEndDeviceRes());
        await forget.WaitAsync(TestTimeouts.Hang);

        connection.Abort();
        (FakeRequest resume, _) = await ReceiveAsync(server, ChatPackets.CResumeReq);
        resume.Answer(ChatPackets.SResumeRes, new SResumeRes { PlayerId = 7, ResumeToken = newest, Restored = true });
        (await ReceiveAsync(server, ChatPackets.CJoinRoomReq)).Request.Connection.Abort();
        (resume, CResumeReq again) = await ReceiveAsync(server, ChatPackets.CResumeReq);
        resume.Answer(ChatPackets.SResumeRes, new SResumeRes { PlayerId = 7, ResumeToken = s_token });
        (FakeRequest join, _) = await ReceiveAsync(server, ChatPackets.CJoinRoomReq);
        join.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 1, Name = "one", LatestSequence = 10 });
        (await ReceiveAsync(server, ChatPackets.CEchoReq)).Request.Answer(ChatPackets.SEchoRes, new SEchoRes());

        Assert.Equal(newest, again.Token);
        Assert.Empty(again.Rooms); // the server lets go of what the failed attempt has joined
        Assert.Equal("reconnecting 1 PeerReset", await NextAsync());
        Assert.Equal("reconnecting 2 PeerReset", await NextAsync());
        Assert.Equal("reconnected: 1 member recovered 0 missed, 10 to 10", await NextAsync());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_the_server_would_not_know_again_is_not_sent_again(bool roomsLast)
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server, serverInfo: new ServerInfo { RoomsLast = roomsLast });
        await using ChatClient closing = client;
        Task change = client.ChangePasswordAsync("secret", "other");
        await ReceiveAsync(server, ChatPackets.CChangePasswordReq);
        Task<SCreateRoomRes> create = client.CreateRoomAsync("den");
        await ReceiveAsync(server, ChatPackets.CCreateRoomReq);
        Task<SListRoomsRes> list = client.ListRoomsAsync();
        await ReceiveAsync(server, ChatPackets.CListRoomsReq);

        connection.Abort();
        (FakeRequest resume, _) = await ReceiveAsync(server, ChatPackets.CResumeReq);
        resume.Answer(ChatPackets.SResumeRes, new SResumeRes
        {
            ResumeToken = s_token,
            Rooms = { new ResumedRoom { RoomId = 1, Member = true, Recovered = true, LatestSequence = 10 } },
        });
        await ReceiveAsync(server, ChatPackets.CHeartbeatNtf);
        FakeRequest next = await server.ReceiveAsync();
        if (!roomsLast)
        {
            Assert.Equal(PacketId.CCreateRoomReq, next.Packet);
            next.Answer(ChatPackets.SCreateRoomRes, new SCreateRoomRes { RoomId = 2, Name = "den" });
            await create.WaitAsync(TestTimeouts.Hang);
            next = await server.ReceiveAsync();
        }

        next.Answer(ChatPackets.SListRoomsRes, new SListRoomsRes());
        await list.WaitAsync(TestTimeouts.Hang);
        await Assert.ThrowsAsync<ChatConnectionClosedException>(() => change.WaitAsync(TestTimeouts.Hang));
        if (roomsLast)
        {
            await Assert.ThrowsAsync<ChatConnectionClosedException>(() => create.WaitAsync(TestTimeouts.Hang));
        }
    }

    [Fact]
    public async Task A_server_that_restarts_says_when_to_come_back()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;
        var delay = new TaskCompletionSource<TimeSpan>();
        client.Reconnecting += (_, e) => delay.TrySetResult(e.Delay);

        connection.SendPacket(
            new SCloseNtf { Reason = CloseCode.ServerShutdown, Message = "Back soon.", RetryAfterMs = 30 }, type: ChatPackets.SCloseNtf);
        connection.Close();
        (FakeRequest resume, _) = await ReceiveAsync(server, ChatPackets.CResumeReq);
        resume.Answer(ChatPackets.SResumeRes, new SResumeRes
        {
            ResumeToken = s_token,
            Rooms = { new ResumedRoom { RoomId = 1, Member = true, Recovered = true, LatestSequence = 10 } },
        });

        Assert.Equal(TimeSpan.FromMilliseconds(30), await delay.Task.WaitAsync(TestTimeouts.Hang));
        Assert.Equal("reconnecting 1 ServerShutdown", await NextAsync());
        Assert.Equal("reconnected: 1 member recovered 0 missed, 10 to 10", await NextAsync());
    }

    [Theory]
    [InlineData(CloseCode.ServerShutdown)]
    [InlineData(CloseCode.NodeFenced)]
    public async Task A_server_that_ends_and_has_given_no_token_asks_for_another_login(CloseCode reason)
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync(
            static options => options.ReconnectDelay = TimeSpan.FromMilliseconds(1));
        await using ChatClient closing = client;
        Task login = client.LoginAsync("Ann", "secret");
        (await server.ReceiveAsync()).Answer(ChatPackets.SLoginRes, new SLoginRes { PlayerId = 7 }); // its database is away
        await login.WaitAsync(TestTimeouts.Hang);

        connection.SendPacket(new SCloseNtf { Reason = reason, RetryAfterMs = 1 }, type: ChatPackets.SCloseNtf);
        connection.Close();

        (_, CLoginReq again) = await ReceiveAsync(server, ChatPackets.CLoginReq);
        Assert.Equal(("Ann", "secret"), (again.Name, again.Password));
    }

    [Fact]
    public async Task Without_Reconnect_no_advice_brings_it_back()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server, options => options.Reconnect = false);
        await using ChatClient closing = client;

        connection.SendPacket(new SCloseNtf { Reason = CloseCode.ServerShutdown, RetryAfterMs = 1 }, type: ChatPackets.SCloseNtf);
        connection.Close();

        Assert.Equal(CloseReason.ServerShutdown, (await client.Closed.WaitAsync(TestTimeouts.Hang)).Reason);
        Assert.Equal("disconnected", await NextAsync());
    }

    private static SRoomHistoryRes Page(bool more, bool complete, params (long Sequence, string Text, bool System)[] messages) => new()
    {
        RoomId = 1,
        More = more,
        Complete = complete,
        Messages =
        {
            messages.Select(static message => new SRoomChatNtf
            {
                RoomId = 1,
                Sequence = message.Sequence,
                Text = message.Text,
                System = message.System,
            }),
        },
    };

    private static void SendChat(Connection connection, long sequence, long previous, string text) => connection.SendPacket(
        new SRoomChatNtf { RoomId = 1, Sequence = sequence, PreviousSequence = previous, Text = text }, type: ChatPackets.SRoomChatNtf);

    private static void SendJoin(Connection connection, long sequence, long playerId, string name) => connection.SendPacket(
        new SJoinRoomNtf
        {
            RoomId = 1,
            Sequence = sequence,
            PreviousSequence = sequence - 1,
            Member = new Member { PlayerId = playerId, Name = name },
        },
        type: ChatPackets.SJoinRoomNtf);

    private static async Task<(FakeRequest Request, TMessage Message)> ReceiveAsync<TMessage>(
        FakeChatServer server, PacketType<TMessage> packet)
        where TMessage : IMessage<TMessage>, new()
    {
        FakeRequest request = await server.ReceiveAsync();
        Assert.Equal((PacketId)packet.Id, request.Packet);
        var message = new TMessage();
        message.MergeFrom(request.Body);
        return (request, message);
    }

    /// <summary>Refuses the resume and takes the login that follows.</summary>
    /// <returns>The next request: to join the room.</returns>
    private static async Task<FakeRequest> LogInAgainAsync(FakeChatServer server)
    {
        (FakeRequest resume, _) = await ReceiveAsync(server, ChatPackets.CResumeReq);
        resume.Refuse(ErrorCode.ResumeRefused, "Unknown.");
        (FakeRequest login, _) = await ReceiveAsync(server, ChatPackets.CLoginReq);
        login.Answer(ChatPackets.SLoginRes, new SLoginRes { PlayerId = 7, ResumeToken = s_token });
        return (await ReceiveAsync(server, ChatPackets.CJoinRoomReq)).Request;
    }

    /// <summary>A client that has logged in and is in room 1, up to sequence 10.</summary>
    private async Task<(ChatClient Client, Connection Connection)> StartAsync(
        FakeChatServer server,
        Action<ChatClientOptions>? configure = null,
        ByteString? loginToken = null,
        ServerInfo? serverInfo = null)
    {
        (ChatClient client, Connection connection) = await server.ConnectAsync(options =>
        {
            options.ReconnectDelay = TimeSpan.FromMilliseconds(1);
            configure?.Invoke(options);
        });
        Task login = client.LoginAsync("Ann", "secret");
        (await server.ReceiveAsync()).Answer(ChatPackets.SLoginRes, new SLoginRes
        {
            PlayerId = 7,
            ResumeToken = s_token,
            LoginToken = loginToken ?? ByteString.Empty,
            Server = serverInfo,
        });
        await login.WaitAsync(TestTimeouts.Hang);
        Task join = client.JoinRoomAsync(1);
        (await server.ReceiveAsync()).Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 1, Name = "one", LatestSequence = 10 });
        await join.WaitAsync(TestTimeouts.Hang);
        client.Reconnecting += (_, e) => _events.Writer.TryWrite($"reconnecting {e.Attempt} {e.Reason}");
        client.Reconnected += (_, e) => _events.Writer.TryWrite("reconnected: " + string.Join(' ', e.Rooms.Select(room =>
            $"{room.RoomId} {(room.IsMember ? "member" : "left")} {(room.IsRecovered ? "recovered" : "gap")} {room.MissedMessages} missed, "
                + $"{room.LastSequence} to {room.LatestSequence}")));
        client.DirectChatReceived += (_, e) => _events.Writer.TryWrite($"direct {e.Text}");
        client.ChatReceived += (_, e) => _events.Writer.TryWrite($"{e.Message.Text} ({e.MissedBefore})");
        client.Disconnected += (_, _) => _events.Writer.TryWrite("disconnected");
        return (client, connection);
    }

    private Task<string> NextAsync() => _events.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);
}
