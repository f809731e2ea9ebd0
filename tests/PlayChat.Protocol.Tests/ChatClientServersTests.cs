using System.Net;
using System.Net.Sockets;
using Google.Protobuf;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Protocol.Tests;

/// <summary>A client that knows several servers.</summary>
public sealed class ChatClientServersTests
{
    private static readonly ByteString s_token = ByteString.CopyFromUtf8("a resume token, of 32 bytes.....");

    [Fact]
    public async Task It_connects_to_the_first_server_that_takes_it()
    {
        await using FakeChatServer alive = await FakeChatServer.StartAsync();

        await using ChatClient client = await ChatClient.ConnectAsync([Closed(), At(alive)]).WaitAsync(TestTimeouts.Hang);

        await alive.AcceptAsync();
        Assert.True(client.IsConnected);
    }

    [Fact]
    public async Task When_no_server_takes_it_the_connect_fails()
    {
        await Assert.ThrowsAnyAsync<ConnectFailedException>(
            () => ChatClient.ConnectAsync([Closed(), Closed()]).WaitAsync(TestTimeouts.Hang));
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

    private static IPEndPoint At(FakeChatServer server) => new(IPAddress.Loopback, server.Port);

    /// <summary>An endpoint at which nothing listens.</summary>
    private static IPEndPoint Closed()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return (IPEndPoint)socket.LocalEndPoint!;
    }

    private static Task<ChatClient> ConnectAsync(FakeChatServer first, FakeChatServer second) =>
        ChatClient.ConnectAsync([At(first), At(second)], new ChatClientOptions { ReconnectDelay = TimeSpan.Zero })
            .WaitAsync(TestTimeouts.Hang);

    private static async Task<(Connection Connection, FakeRequest Join)> LogInAndJoinAsync(ChatClient client, FakeChatServer server)
    {
        Connection connection = await server.AcceptAsync();
        Task<SLoginRes> login = client.LoginAsync("Ann");
        (await server.ReceiveAsync()).Answer(ChatPackets.SLoginRes, new SLoginRes { PlayerId = 1, Name = "Ann", ResumeToken = s_token });
        await login.WaitAsync(TestTimeouts.Hang);
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
