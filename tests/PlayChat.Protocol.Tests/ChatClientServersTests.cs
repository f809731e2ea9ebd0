using System.Net;
using Google.Protobuf;
using PlayChat.Core;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Protocol.Tests;

/// <summary>A client that knows several servers.</summary>
public sealed class ChatClientServersTests
{
    private static readonly ByteString s_token = ByteString.CopyFromUtf8("a resume token, of 32 bytes.....");

    [Fact]
    public async Task It_connects_to_the_first_server_that_takes_it()
    {
        using var nobody = new RefusingPort();
        await using FakeChatServer alive = await FakeChatServer.StartAsync();

        await using ChatClient client = await ChatClient.ConnectAsync([nobody.EndPoint, At(alive)]).WaitAsync(TestTimeouts.Hang);

        await alive.AcceptAsync();
        Assert.True(client.IsConnected);
    }

    [Fact]
    public async Task When_no_server_takes_it_the_connect_fails()
    {
        using var nobody = new RefusingPort();
        await Assert.ThrowsAnyAsync<ConnectFailedException>(
            () => ChatClient.ConnectAsync([nobody.EndPoint, nobody.EndPoint]).WaitAsync(TestTimeouts.Hang));
        await Assert.ThrowsAsync<ArgumentException>(() => ChatClient.ConnectAsync([]));
    }

    [Fact]
    public async Task A_client_of_a_killed_server_resumes_on_the_next_with_the_last_sequence_and_epoch_of_its_rooms()
    {
        await using FakeChatServer first = await FakeChatServer.StartAsync();
        await using FakeChatServer second = await FakeChatServer.StartAsync();
        await using ChatClient client = await ConnectAsync(first, second);
        (Connection _, FakeRequest join) = await LogInAndJoinAsync(client, first);
        join.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 7, Name = "lobby", LatestSequence = 4096, Epoch = 3 });

        await first.DisposeAsync(); // resets its connections

        CResumeReq resume = await ReceiveResumeAsync(second);
        Assert.Equal((s_token, 7, 4096, 3u), (resume.Token, resume.Rooms[0].RoomId, resume.Rooms[0].LastSequence, resume.Rooms[0].Epoch));
    }

    [Fact]
    public async Task A_client_whose_connection_breaks_returns_to_its_server_first()
    {
        await using FakeChatServer first = await FakeChatServer.StartAsync();
        await using FakeChatServer second = await FakeChatServer.StartAsync();
        await using ChatClient client = await ConnectAsync(first, second);
        (Connection connection, FakeRequest join) = await LogInAndJoinAsync(client, first);
        join.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 7 });

        connection.Abort();

        await ReceiveResumeAsync(first);
    }

    [Fact]
    public async Task A_client_whose_server_is_silent_resumes_on_the_next()
    {
        await using FakeChatServer first = await FakeChatServer.StartAsync();
        await using FakeChatServer second = await FakeChatServer.StartAsync();
        var time = new ManualTimeProvider();
        var options = new ChatClientOptions { ReconnectDelay = TimeSpan.Zero, TimeProvider = time };
        await using ChatClient client = await ChatClient.ConnectAsync([At(first), At(second)], options).WaitAsync(TestTimeouts.Hang);
        (Connection _, FakeRequest join) = await LogInAndJoinAsync(client, first);
        join.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 7 });
        await Eventually.TrueAsync(() => client.FindRoom(7) is not null);

        time.Advance(options.KeepAlive); // the server was heard until here
        time.Advance(options.KeepAlive);
        FakeRequest probe = await first.ReceiveAsync();
        time.Advance(options.KeepAlive);

        Assert.Equal(PacketId.CEchoReq, probe.Packet);
        await ReceiveResumeAsync(second);
    }

    [Theory]
    [InlineData(CloseCode.NodeFenced, 0)]
    [InlineData(CloseCode.ServerShutdown, 1)]
    public async Task A_client_whose_server_leaves_the_cluster_resumes_on_the_next(CloseCode reason, int retryAfterMs)
    {
        await using FakeChatServer first = await FakeChatServer.StartAsync();
        await using FakeChatServer second = await FakeChatServer.StartAsync();
        await using ChatClient client = await ConnectAsync(first, second);
        (Connection connection, FakeRequest join) = await LogInAndJoinAsync(client, first);
        join.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 7 });

        connection.SendPacket(new SCloseNtf { Reason = reason, RetryAfterMs = (uint)retryAfterMs }, type: ChatPackets.SCloseNtf);
        connection.Close();

        await ReceiveResumeAsync(second);
    }

    [Fact]
    public async Task A_server_that_refuses_the_resume_is_followed_by_the_next()
    {
        await using FakeChatServer first = await FakeChatServer.StartAsync();
        await using FakeChatServer second = await FakeChatServer.StartAsync();
        await using ChatClient client = await ConnectAsync(first, second);
        (Connection connection, FakeRequest join) = await LogInAndJoinAsync(client, first);
        join.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 7 });

        connection.Abort();
        FakeRequest refused = await first.ReceiveAsync();
        refused.Answer(ChatPackets.SErrorNtf, new SErrorNtf { Code = ErrorCode.Unavailable, Message = "Not now." });

        await ReceiveResumeAsync(second);
    }

    [Fact]
    public async Task It_follows_a_redirect_to_a_server_that_is_not_in_its_list()
    {
        await using FakeChatServer first = await FakeChatServer.StartAsync();
        await using FakeChatServer second = await FakeChatServer.StartAsync();
        await using FakeChatServer other = await FakeChatServer.StartAsync();
        await using ChatClient client = await ConnectAsync(first, second);
        (Connection connection, FakeRequest join) = await LogInAndJoinAsync(client, first);
        join.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 7 });

        connection.Abort();
        FakeRequest redirected = await first.ReceiveAsync();
        redirected.Answer(ChatPackets.SErrorNtf, new SErrorNtf { Code = ErrorCode.Redirect, Endpoint = $"127.0.0.1:{other.Port}" });

        await ReceiveResumeAsync(other);
    }

    [Theory]
    [InlineData(CloseCode.NodeFenced, 0)]
    [InlineData(CloseCode.ServerShutdown, 1)]
    public async Task A_client_whose_server_names_another_one_at_the_close_resumes_there(CloseCode reason, int retryAfterMs)
    {
        await using FakeChatServer first = await FakeChatServer.StartAsync();
        await using FakeChatServer second = await FakeChatServer.StartAsync();
        await using FakeChatServer other = await FakeChatServer.StartAsync();
        await using ChatClient client = await ConnectAsync(first, second);
        (Connection connection, FakeRequest join) = await LogInAndJoinAsync(client, first);
        join.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 7 });

        var farewell = new SCloseNtf { Reason = reason, RetryAfterMs = (uint)retryAfterMs, Endpoint = $"127.0.0.1:{other.Port}" };
        connection.SendPacket(farewell, type: ChatPackets.SCloseNtf);
        connection.Close();

        await ReceiveResumeAsync(other);
    }

    [Fact]
    public async Task A_login_that_is_redirected_is_sent_again_to_the_server_that_was_named()
    {
        await using FakeChatServer first = await FakeChatServer.StartAsync();
        await using FakeChatServer second = await FakeChatServer.StartAsync();
        await using ChatClient client = await ConnectAsync(first, first);
        Task<SLoginRes> login = client.LoginAsync("Ann");

        Redirect(await first.ReceiveAsync(), second);

        FakeRequest again = await second.ReceiveAsync();
        Assert.Equal(PacketId.CLoginReq, again.Packet);
        again.Answer(ChatPackets.SLoginRes, new SLoginRes { PlayerId = 1, Name = "Ann", ResumeToken = s_token });
        Assert.Equal("Ann", (await login.WaitAsync(TestTimeouts.Hang)).Name);
        await Eventually.TrueAsync(() => client.IsConnected); // set after the held login has gone out, so its answer may come before
    }

    [Fact]
    public async Task A_join_that_is_redirected_is_sent_again_after_the_client_has_resumed_there()
    {
        await using FakeChatServer first = await FakeChatServer.StartAsync();
        await using FakeChatServer second = await FakeChatServer.StartAsync();
        await using ChatClient client = await ConnectAsync(first, first);
        await LogInAsync(client, first);
        Task<SJoinRoomRes> joining = client.JoinRoomAsync(7);

        Redirect(await first.ReceiveAsync(), second);

        FakeRequest resume = await second.ReceiveAsync();
        Assert.Equal(PacketId.CResumeReq, resume.Packet);
        resume.Answer(ChatPackets.SResumeRes, new SResumeRes { PlayerId = 1, Name = "Ann", ResumeToken = s_token });
        FakeRequest join = await ReceiveAsync(second, PacketId.CJoinRoomReq);
        join.Answer(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 7 });
        Assert.Equal(7, (await joining.WaitAsync(TestTimeouts.Hang)).RoomId);
    }

    [Fact]
    public async Task Servers_that_name_each_other_end_the_request_and_not_the_client()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        await using ChatClient client = await ConnectAsync(server, server);
        await LogInAsync(client, server);
        Task<SJoinRoomRes> joining = client.JoinRoomAsync(7);

        for (int i = 0; i < 3; i++)
        {
            Redirect(await ReceiveAsync(server, PacketId.CJoinRoomReq), server);
            FakeRequest resume = await ReceiveAsync(server, PacketId.CResumeReq);
            resume.Answer(ChatPackets.SResumeRes, new SResumeRes { PlayerId = 1, Name = "Ann", ResumeToken = s_token });
        }

        Redirect(await ReceiveAsync(server, PacketId.CJoinRoomReq), server);
        ChatErrorException error = await Assert.ThrowsAsync<ChatErrorException>(() => joining.WaitAsync(TestTimeouts.Hang));
        Assert.Equal((ErrorCode.Redirect, $"127.0.0.1:{server.Port}"), (error.Code, error.EndPoint));
        Assert.True(client.IsConnected);
    }

    [Fact]
    public async Task A_client_that_does_not_reconnect_is_told_of_the_other_server()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        await using ChatClient client = await ChatClient.ConnectAsync(
            [At(server)], new ChatClientOptions { Reconnect = false }).WaitAsync(TestTimeouts.Hang);
        Task<SLoginRes> login = client.LoginAsync("Ann");

        (await server.ReceiveAsync()).Answer(
            ChatPackets.SErrorNtf, new SErrorNtf { Code = ErrorCode.Redirect, Endpoint = "other.example:7777" });

        ChatErrorException error = await Assert.ThrowsAsync<ChatErrorException>(() => login.WaitAsync(TestTimeouts.Hang));
        Assert.Equal("other.example:7777", error.EndPoint);
    }

    private static void Redirect(FakeRequest request, FakeChatServer other) => request.Answer(
        ChatPackets.SErrorNtf, new SErrorNtf { Code = ErrorCode.Redirect, Endpoint = $"127.0.0.1:{other.Port}" });

    /// <summary>The next request of a kind; heartbeats and others are passed over.</summary>
    private static async Task<FakeRequest> ReceiveAsync(FakeChatServer server, PacketId packet)
    {
        FakeRequest request;
        do
        {
            request = await server.ReceiveAsync();
        }
        while (request.Packet != packet);

        return request;
    }

    private static async Task LogInAsync(ChatClient client, FakeChatServer server)
    {
        Task<SLoginRes> login = client.LoginAsync("Ann");
        (await server.ReceiveAsync()).Answer(ChatPackets.SLoginRes, new SLoginRes { PlayerId = 1, Name = "Ann", ResumeToken = s_token });
        await login.WaitAsync(TestTimeouts.Hang);
    }

    private static IPEndPoint At(FakeChatServer server) => new(IPAddress.Loopback, server.Port);

    private static Task<ChatClient> ConnectAsync(FakeChatServer first, FakeChatServer second) =>
        ChatClient.ConnectAsync([At(first), At(second)], new ChatClientOptions { ReconnectDelay = TimeSpan.Zero })
            .WaitAsync(TestTimeouts.Hang);

    private static async Task<(Connection Connection, FakeRequest Join)> LogInAndJoinAsync(ChatClient client, FakeChatServer server)
    {
        Connection connection = await server.AcceptAsync();
        await LogInAsync(client, server);
        _ = client.JoinRoomAsync(7).ContinueWith(static _ => { }, TaskScheduler.Default);
        return (connection, await server.ReceiveAsync());
    }

    private static async Task<CResumeReq> ReceiveResumeAsync(FakeChatServer server)
    {
        FakeRequest request = await server.ReceiveAsync();
        Assert.Equal(PacketId.CResumeReq, request.Packet);
        return CResumeReq.Parser.ParseFrom(request.Body);
    }
}
