using System.Net;
using PlayChat.Core;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Protocol.Tests;

public sealed class ChatClientRequestTests
{
    [Fact]
    public async Task Answers_that_come_out_of_order_reach_their_own_requests()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await server.ConnectAsync();
        await using ChatClient closing = client;

        Task<SJoinRoomRes> join = client.JoinRoomAsync(5);
        Task<SListRoomsRes> list = client.ListRoomsAsync();
        Task<SRoomChatRes> chat = client.ChatAsync(5, "안녕 👋", clientMessageId: 9);
        FakeRequest[] requests = [await server.ReceiveAsync(), await server.ReceiveAsync(), await server.ReceiveAsync()];
        requests[2].Answer(ChatPackets.SRoomChatRes, new SRoomChatRes { RoomId = 5, Sequence = 2, ClientMessageId = 9 });
        requests[1].Answer(ChatPackets.SListRoomsRes, new SListRoomsRes { More = true, LastRoomId = 3 });
        requests[0].Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 5, Name = "lobby", LatestSequence = 1 });

        Assert.Equal("lobby", (await join.WaitAsync(TestTimeouts.Hang)).Name);
        Assert.True((await list.WaitAsync(TestTimeouts.Hang)).More);
        Assert.Equal(2, (await chat.WaitAsync(TestTimeouts.Hang)).Sequence);
        Assert.Equal([1, 2, 3], requests.Select(request => (int)request.RequestId));
        Assert.Equal("안녕 👋", CRoomChatReq.Parser.ParseFrom(requests[2].Body).Text);
    }

    [Theory]
    [InlineData(0, 0, new long[] { 3, 7 }, true, 7)] // an older server names no last_room_id
    [InlineData(7, 0, new long[] { 8 }, true, 8)]
    [InlineData(7, 0, new long[0], false, 0)] // and its empty page is the last one
    [InlineData(7, 7, new long[0], false, 0)]
    [InlineData(7, 0, new long[] { 7 }, false, 7)] // a page that does not advance
    [InlineData(7, 1007, new long[0], true, 1007)]
    [InlineData(7, 1007, new long[] { 9 }, true, 1007)]
    public async Task Each_page_of_a_list_of_rooms_begins_after_the_one_before(
        long after, long named, long[] rooms, bool hasMore, long last)
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await server.ConnectAsync();
        await using ChatClient closing = client;

        Task<SListRoomsRes> list = client.ListRoomsAsync(after);
        var page = new SListRoomsRes { More = true, LastRoomId = named };
        page.Rooms.AddRange(rooms.Select(static id => new RoomInfo { RoomId = id }));
        (await server.ReceiveAsync()).Answer(ChatPackets.SListRoomsRes, page);

        SListRoomsRes listed = await list.WaitAsync(TestTimeouts.Hang);
        Assert.Equal((hasMore, last), (listed.More, listed.LastRoomId));
    }

    [Fact]
    public async Task A_login_sends_name_password_and_version_and_keeps_the_answer()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await server.ConnectAsync(options => options.ClientVersion = "test/1");
        await using ChatClient closing = client;
        Assert.Null(client.Login);

        Task<SLoginRes> login = client.LoginAsync("민수", "secret");
        FakeRequest request = await server.ReceiveAsync();
        request.Answer(
            ChatPackets.SLoginRes, new SLoginRes { PlayerId = 7, Name = "민수", Server = new ServerInfo { MaxFrameBytes = 1000 } });
        SLoginRes answer = await login.WaitAsync(TestTimeouts.Hang);

        var expected = new CLoginReq
        {
            Name = "민수",
            Password = "secret",
            ClientVersion = "test/1",
            AnnouncesLogout = true,
            FollowsRedirects = true,
        };
        Assert.Equal(expected, CLoginReq.Parser.ParseFrom(request.Body));
        Assert.Equal(7, answer.PlayerId);
        Assert.Same(answer, client.Login);
    }

    [Fact]
    public async Task A_refusal_is_an_exception_with_the_servers_code_and_words()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await server.ConnectAsync();
        await using ChatClient closing = client;

        Task join = client.JoinRoomAsync(5);
        (await server.ReceiveAsync()).Refuse(ErrorCode.RoomFull, "The room is full: try later.");

        var exception = await Assert.ThrowsAsync<ChatErrorException>(() => join.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(ErrorCode.RoomFull, exception.Code);
        Assert.Equal("The room is full: try later.", exception.Message);
        Assert.Equal(0, client.RequestsInFlight);
    }

    [Fact]
    public async Task A_request_without_an_answer_times_out_and_its_late_answer_disturbs_nobody()
    {
        var time = new ManualTimeProvider();
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await server.ConnectAsync(options => options.TimeProvider = time);
        await using ChatClient closing = client;
        Task<ReadOnlyMemory<byte>> forgotten = client.EchoAsync(new byte[] { 1 });
        FakeRequest late = await server.ReceiveAsync();

        time.Advance(TimeSpan.FromSeconds(10));
        await Assert.ThrowsAsync<TimeoutException>(() => forgotten.WaitAsync(TestTimeouts.Hang));

        Assert.Equal(0, client.RequestsInFlight);
        late.Answer(ChatPackets.SEchoRes, new SEchoRes());
        await AssertStillWorksAsync(client, server);
    }

    [Fact]
    public async Task A_cancelled_request_leaves_nothing_behind()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await server.ConnectAsync(options => options.MaxRequestsInFlight = 1);
        await using ChatClient closing = client;
        using var cancellation = new CancellationTokenSource();
        Task leave = client.LeaveRoomAsync(1, cancellation.Token);
        await server.ReceiveAsync();

        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => leave.WaitAsync(TestTimeouts.Hang));

        Assert.Equal(0, client.RequestsInFlight);
        await AssertStillWorksAsync(client, server);
    }

    [Fact]
    public async Task A_join_that_was_given_up_still_puts_the_client_into_the_room()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await server.ConnectAsync();
        await using ChatClient closing = client;
        using var cancellation = new CancellationTokenSource();
        Task join = client.JoinRoomAsync(5, cancellation.Token);
        FakeRequest request = await server.ReceiveAsync();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => join.WaitAsync(TestTimeouts.Hang));

        request.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 5, Name = "lobby", LatestSequence = 4 });
        await AssertStillWorksAsync(client, server);

        Assert.Equal(4, client.FindRoom(5)?.LatestSequence);
    }

    [Fact]
    public async Task A_request_over_the_bound_waits_until_another_is_answered()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await server.ConnectAsync(options => options.MaxRequestsInFlight = 2);
        await using ChatClient closing = client;
        Task[] requests = [client.JoinRoomAsync(1), client.JoinRoomAsync(2), client.JoinRoomAsync(3)];
        FakeRequest first = await server.ReceiveAsync();
        FakeRequest second = await server.ReceiveAsync();

        Assert.Equal(2, client.RequestsInFlight);
        first.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 1 });
        FakeRequest third = await server.ReceiveAsync();
        second.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 2 });
        third.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 3 });

        await Task.WhenAll(requests).WaitAsync(TestTimeouts.Hang);
        Assert.Equal(3, CJoinRoomReq.Parser.ParseFrom(third.Body).RoomId);
        Assert.Equal(0, client.RequestsInFlight);
    }

    [Fact]
    public async Task A_login_has_a_longer_wait_of_its_own()
    {
        var time = new ManualTimeProvider();
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await server.ConnectAsync(options => options.TimeProvider = time);
        await using ChatClient closing = client;
        Task<SLoginRes> patient = client.LoginAsync("Ann");
        FakeRequest late = await server.ReceiveAsync();
        time.Advance(TimeSpan.FromSeconds(119));
        late.Answer(ChatPackets.SLoginRes, new SLoginRes { PlayerId = 7 });
        Assert.Equal(7, (await patient.WaitAsync(TestTimeouts.Hang)).PlayerId);

        Task<SLoginRes> forgotten = client.LoginAsync("Ann");
        await server.ReceiveAsync();
        time.Advance(TimeSpan.FromSeconds(120));

        await Assert.ThrowsAsync<TimeoutException>(() => forgotten.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_request_that_waits_for_its_turn_times_out_as_well()
    {
        var time = new ManualTimeProvider();
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await server.ConnectAsync(options =>
        {
            options.TimeProvider = time;
            options.MaxRequestsInFlight = 1;
        });
        await using ChatClient closing = client;
        Task[] requests = [client.JoinRoomAsync(1), client.JoinRoomAsync(2)];
        await server.ReceiveAsync();

        time.Advance(TimeSpan.FromSeconds(10));

        foreach (Task request in requests)
        {
            await Assert.ThrowsAsync<TimeoutException>(() => request.WaitAsync(TestTimeouts.Hang));
        }
    }

    [Fact]
    public async Task Requests_that_wait_when_the_server_closes_hear_why()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync(options => options.MaxRequestsInFlight = 2);
        await using ChatClient closing = client;
        Task[] requests = [client.JoinRoomAsync(1), client.JoinRoomAsync(2), client.JoinRoomAsync(3)];
        await server.ReceiveAsync();

        connection.SendPacket(
            new SCloseNtf { Reason = CloseCode.TakenOver, Message = "Ann has logged in from elsewhere." }, type: ChatPackets.SCloseNtf);
        connection.Close();

        foreach (Task request in requests)
        {
            var exception = await Assert.ThrowsAsync<ChatConnectionClosedException>(() => request.WaitAsync(TestTimeouts.Hang));
            Assert.Equal(CloseReason.TakenOver, exception.Reason);
            Assert.Equal("Ann has logged in from elsewhere.", exception.ServerMessage);
        }

        await Assert.ThrowsAsync<ChatConnectionClosedException>(() => client.ListRoomsAsync().WaitAsync(TestTimeouts.Hang));
        Assert.False(client.SendChat(1, "too late"));
        Assert.False(client.IsConnected);
        Assert.Equal(0, client.RequestsInFlight);
    }

    [Fact]
    public async Task What_is_larger_than_the_server_takes_is_not_sent()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await server.ConnectAsync();
        await using ChatClient closing = client;

        await Assert.ThrowsAsync<ArgumentException>(() => client.EchoAsync(new byte[ChatLimits.DefaultMaxClientFrameBytes]));
        Assert.Throws<ArgumentException>(() => client.SendChat(1, new string('x', ChatLimits.DefaultMaxClientFrameBytes)));

        await AssertStillWorksAsync(client, server);
    }

    [Fact]
    public async Task What_a_server_that_does_not_read_cannot_take_is_refused_to_its_sender_and_the_client_lives_on()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await server.ConnectAsync(options => options.MaxOutboundBytes = 64 * 1024);
        await using ChatClient closing = client;
        server.StopReading();
        string text = new('x', 60_000);

        // What the kernel holds for both sides is some megabytes at most.
        int sent = 0;
        while (sent < 10_000 && client.SendChat(1, text))
        {
            sent++;
        }

        Assert.InRange(sent, 1, 9_999);
        Assert.True(client.IsConnected);
        var exception = await Assert.ThrowsAsync<ChatErrorException>(() => client.EchoAsync(new byte[60_000]).WaitAsync(TestTimeouts.Hang));
        Assert.Equal(ErrorCode.ServerBusy, exception.Code);
        await server.DisposeAsync(); // first, or the client would wait for it to read
    }

    [Fact]
    public async Task Connecting_to_nobody_says_so()
    {
        int port;
        await using (FakeChatServer server = await FakeChatServer.StartAsync())
        {
            port = server.Port;
        }

        await Assert.ThrowsAsync<ConnectFailedException>(() => ChatClient.ConnectAsync("127.0.0.1", port).WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public void Message_ids_are_never_0_and_never_repeat()
    {
        var client = new ChatClient(
            new ChatClientOptions(),
            new EndPointRotation([new IPEndPoint(IPAddress.Loopback, 1)]),
            followsRedirects: true,
            static (_, _, _) => throw new NotSupportedException(),
            owner: null);

        var ids = Enumerable.Range(0, 1000).Select(_ => client.NewClientMessageId()).ToHashSet();

        Assert.Equal(1000, ids.Count);
        Assert.DoesNotContain(0ul, ids);
    }

    private static async Task AssertStillWorksAsync(ChatClient client, FakeChatServer server)
    {
        Task<ReadOnlyMemory<byte>> echo = client.EchoAsync("still there"u8.ToArray());
        FakeRequest request = await server.ReceiveAsync();
        request.Answer(ChatPackets.SEchoRes, new SEchoRes { Payload = CEchoReq.Parser.ParseFrom(request.Body).Payload });
        Assert.Equal("still there"u8.ToArray(), (await echo.WaitAsync(TestTimeouts.Hang)).ToArray());
    }
}
