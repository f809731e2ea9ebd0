using Google.Protobuf;
using PlayChat.Core;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.TestUtilities;

namespace PlayChat.Protocol.Tests;

/// <summary>Messages from one player to another.</summary>
public sealed class ChatClientDirectTests
{
    private static readonly ByteString s_token = ByteString.CopyFromUtf8("the first token, of 32 bytes....");

    [Fact]
    public async Task A_message_that_arrives_is_raised_with_its_sender_text_and_time()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync();
        await using ChatClient closing = client;
        var received = new TaskCompletionSource<DirectChatReceivedEventArgs>(TaskCreationOptions.RunContinuationsAsynchronously);
        client.DirectChatReceived += (_, args) => received.TrySetResult(args);

        connection.SendPacket(
            new SDirectChatNtf { PlayerId = 8, PlayerName = "민수", Text = "안녕 👋", SentAtUnixMs = 1234 }, type: ChatPackets.SDirectChatNtf);
        DirectChatReceivedEventArgs direct = await received.Task.WaitAsync(TestTimeouts.Hang);

        Assert.Equal((8, "민수", "안녕 👋", 1234), (direct.PlayerId, direct.PlayerName, direct.Text, direct.SentAtUnixMs));
    }

    [Fact]
    public async Task A_message_that_was_sent_on_another_device_is_raised_with_its_player_and_number()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await server.ConnectAsync();
        await using ChatClient closing = client;
        var told = new TaskCompletionSource<SDirectSentNtf>(TaskCreationOptions.RunContinuationsAsynchronously);
        client.DirectSentElsewhere += (_, args) => told.TrySetResult(args.Message);

        var sent = new SDirectSentNtf { PlayerId = 8, Text = "안녕 👋", SentAtUnixMs = 1234, Number = 5 };
        connection.SendPacket(sent, type: ChatPackets.SDirectSentNtf);

        Assert.Equal(sent, await told.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task Sending_completes_with_the_answer()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await server.ConnectAsync();
        await using ChatClient closing = client;

        Task sending = client.SendDirectAsync(8, "hello");
        FakeRequest request = await ReceiveAsync(server, 8, "hello");
        Assert.False(sending.IsCompleted);
        request.Answer(ChatPackets.SDirectChatRes, new SDirectChatRes());

        await sending.WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task A_refusal_is_an_exception_with_the_servers_sentence()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, _) = await server.ConnectAsync();
        await using ChatClient closing = client;

        Task sending = client.SendDirectAsync(8, "hello");
        (await server.ReceiveAsync()).Refuse(ErrorCode.PlayerNotConnected, "The player is not connected.");

        var refused = await Assert.ThrowsAsync<ChatErrorException>(() => sending.WaitAsync(TestTimeouts.Hang));
        Assert.Equal((ErrorCode.PlayerNotConnected, "The player is not connected."), (refused.Code, refused.Message));
    }

    [Fact]
    public async Task What_had_gone_out_when_the_connection_broke_fails_at_once_and_is_not_sent_again()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;
        Task<SListRoomsRes> list = client.ListRoomsAsync();
        Assert.Equal(PacketId.CListRoomsReq, (await server.ReceiveAsync()).Packet);
        Task sending = client.SendDirectAsync(8, "hello");
        await ReceiveAsync(server, 8, "hello");

        connection.Abort();

        // Before the client is back.
        var failed = await Assert.ThrowsAsync<ChatConnectionClosedException>(() => sending.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.PeerReset, failed.Reason);
        await ResumeAsync(server);
        FakeRequest again = await server.ReceiveAsync();
        Assert.Equal(PacketId.CListRoomsReq, again.Packet);
        again.Answer(ChatPackets.SListRoomsRes, new SListRoomsRes());
        await list.WaitAsync(TestTimeouts.Hang);
        Task echo = client.EchoAsync(ReadOnlyMemory<byte>.Empty);
        FakeRequest last = await server.ReceiveAsync(); // nothing came between
        Assert.Equal(PacketId.CEchoReq, last.Packet);
        last.Answer(ChatPackets.SEchoRes, new SEchoRes());
        await echo.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(0, client.RequestsInFlight);
    }

    [Fact]
    public async Task What_is_sent_during_a_break_goes_out_once_on_the_next_connection()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;

        connection.Abort();
        FakeRequest lost = await server.ReceiveAsync();
        Assert.Equal(PacketId.CResumeReq, lost.Packet);
        Task sending = client.SendDirectAsync(8, "held");
        lost.Connection.Abort(); // another break before it could go out
        await ResumeAsync(server);
        FakeRequest sent = await ReceiveAsync(server, 8, "held");

        // Now it is out: the next break fails it.
        sent.Connection.Abort();

        await Assert.ThrowsAsync<ChatConnectionClosedException>(() => sending.WaitAsync(TestTimeouts.Hang));
        await ResumeAsync(server);
        Task echo = client.EchoAsync(ReadOnlyMemory<byte>.Empty);
        Assert.Equal(PacketId.CEchoReq, (await server.ReceiveAsync()).Packet);
        await client.DisposeAsync();
        await Assert.ThrowsAsync<ChatConnectionClosedException>(() => echo.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task What_was_held_is_answered_on_the_next_connection()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;
        var broken = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        client.Reconnecting += (_, _) => broken.TrySetResult();

        connection.Abort();
        await broken.Task.WaitAsync(TestTimeouts.Hang);
        Task sending = client.SendDirectAsync(8, "held");
        await ResumeAsync(server);
        (await ReceiveAsync(server, 8, "held")).Answer(ChatPackets.SDirectChatRes, new SDirectChatRes());

        await sending.WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task What_has_a_number_is_sent_again_after_a_break()
    {
        await using FakeChatServer server = await FakeChatServer.StartAsync();
        (ChatClient client, Connection connection) = await StartAsync(server);
        await using ChatClient closing = client;
        var message = new CDirectChatReq { PlayerName = "Bob", Text = "stored", ClientMessageId = 7 };

        Task<SDirectChatRes> sending = client.SendDirectAsync(message);
        Assert.Equal(message, CDirectChatReq.Parser.ParseFrom((await server.ReceiveAsync()).Body));
        connection.Abort();
        await ResumeAsync(server);
        FakeRequest again = await server.ReceiveAsync();
        Assert.Equal(message, CDirectChatReq.Parser.ParseFrom(again.Body));
        again.Answer(ChatPackets.SDirectChatRes, new SDirectChatRes { Number = 3, Duplicate = true });

        Assert.Equal(3, (await sending.WaitAsync(TestTimeouts.Hang)).Number);
    }

    private static async Task<FakeRequest> ReceiveAsync(FakeChatServer server, long playerId, string text)
    {
        FakeRequest request = await server.ReceiveAsync();
        Assert.Equal(PacketId.CDirectChatReq, request.Packet);
        Assert.Equal(new CDirectChatReq { PlayerId = playerId, Text = text }, CDirectChatReq.Parser.ParseFrom(request.Body));
        return request;
    }

    private static async Task ResumeAsync(FakeChatServer server)
    {
        FakeRequest resume = await server.ReceiveAsync();
        Assert.Equal(PacketId.CResumeReq, resume.Packet);
        resume.Answer(ChatPackets.SResumeRes, new SResumeRes { ResumeToken = s_token });
        Assert.Equal(PacketId.CHeartbeatNtf, (await server.ReceiveAsync()).Packet);
    }

    private static async Task<(ChatClient Client, Connection Connection)> StartAsync(FakeChatServer server)
    {
        (ChatClient client, Connection connection) =
            await server.ConnectAsync(static options => options.ReconnectDelay = TimeSpan.FromMilliseconds(1));
        Task login = client.LoginAsync("Ann");
        (await server.ReceiveAsync()).Answer(ChatPackets.SLoginRes, new SLoginRes { PlayerId = 7, ResumeToken = s_token });
        await login.WaitAsync(TestTimeouts.Hang);
        return (client, connection);
    }
}
