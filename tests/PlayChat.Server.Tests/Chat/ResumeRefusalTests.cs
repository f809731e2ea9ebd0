using Google.Protobuf;
using Microsoft.Extensions.DependencyInjection;
using PlayChat.Chat.Sessions;
using PlayChat.Core;
using PlayChat.Protocol;
using PlayChat.Server.Tests.ChatLog;
using PlayChat.Storage;
using PlayChat.Storage.Passwords;
using PlayChat.TestUtilities;
using static PlayChat.Server.Tests.Chat.Resuming;

namespace PlayChat.Server.Tests.Chat;

/// <summary>Resumes that are refused, and what a room knows again of a player that resumes.</summary>
public sealed class ResumeRefusalTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly FaultyStore _store = new();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_disabled_account_does_not_come_back(bool isHalfOpen)
    {
        await using TestServer server = await StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        SLoginRes login = await lee.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);
        await server.Store.SetAccountDisabledAsync(login.PlayerId, disabled: true);
        if (!isHalfOpen)
        {
            await BreakAsync(server, lee);
        }

        await using TestClient back = await server.ConnectAsync();
        SErrorNtf refused = await FailAsync(back, login.ResumeToken, (roomId, 1));

        Assert.Equal(ErrorCode.ResumeRefused, refused.Code);
        Assert.Equal(CloseReason.PeerClosed, await back.Closed);
        Assert.Equal("lee is offline.", (await kim.NextAsync<SRoomChatNtf>()).Text);
        await lee.Closed;
        await using TestClient again = await server.ConnectAsync();
        Assert.Equal(ErrorCode.ResumeRefused, (await FailAsync(again, login.ResumeToken)).Code);
        await again.LoginAsync("ann"); // the token is void, and so this connection was not closed
    }

    [Fact]
    public async Task After_a_new_password_a_player_that_was_cut_off_has_to_log_in_and_one_that_is_connected_stays()
    {
        await using TestServer server = await StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        SLoginRes login = await lee.LoginAsync("lee", "old password");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);
        await server.Store.UpdatePasswordHashAsync(login.PlayerId, new PasswordHasher(PasswordHasher.MinIterations).Hash("new password"));
        await lee.SayAsync(roomId, "still here");
        await BreakAsync(server, lee);

        await using TestClient back = await server.ConnectAsync();
        SErrorNtf refused = await FailAsync(back, login.ResumeToken, (roomId, 1));

        Assert.Equal(ErrorCode.ResumeRefused, refused.Code);
        Assert.Equal("The password of this account has been changed. Log in with the new one.", refused.Message);
        Assert.Equal(CloseReason.PeerClosed, await back.Closed);
        await using TestClient again = await server.ConnectAsync();
        Assert.Equal(ErrorCode.ResumeRefused, (await FailAsync(again, login.ResumeToken)).Code);
        Assert.Equal(ErrorCode.LoginRefused, (await again.FailLoginAsync("lee", "old password")).Code);
        await again.LoginAsync("lee", "new password");
    }

    [Fact]
    public async Task A_token_of_before_a_new_password_is_void_after_a_restart_although_the_server_saved_it_once_more()
    {
        using var directory = new TemporaryDirectory();
        ByteString token;
        await using (TestServer first = await TestServer.StartInAsync(directory.Path, null))
        {
            await using TestClient lee = await first.ConnectAsync();
            SLoginRes login = await lee.LoginAsync("lee", "old password");
            await BreakAsync(first, lee);
            await using TestClient back = await first.ConnectAsync();
            token = (await ResumeAsync(back, login.ResumeToken)).ResumeToken;
            await first.Store.UpdatePasswordHashAsync(login.PlayerId, "another");
            back.Send(ChatPackets.CHeartbeatNtf, new CHeartbeatNtf()); // has the tokens saved again
            await back.AskAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq());
            await first.StopAsync();
        }

        await using TestServer second = await TestServer.StartInAsync(directory.Path, null);
        await using TestClient thief = await second.ConnectAsync();

        Assert.Equal(ErrorCode.ResumeRefused, (await FailAsync(thief, token)).Code);
    }

    [Fact]
    public async Task While_the_database_is_away_a_token_that_only_it_knows_is_not_refused()
    {
        using var directory = new TemporaryDirectory();
        ByteString token;
        await using (TestServer first = await TestServer.StartInAsync(directory.Path, null))
        {
            await using TestClient lee = await first.ConnectAsync();
            token = (await lee.LoginAsync("lee")).ResumeToken;
            await first.StopAsync();
        }

        await using TestServer second = await TestServer.StartInAsync(directory.Path, _store.Wrap);
        await using TestClient back = await second.ConnectAsync();
        _store.Fault = new StorageException(StorageErrorKind.Busy, "locked");
        for (int i = 0; i < 20; i++) // more than the refused requests that a connection may have
        {
            SErrorNtf away = await FailAsync(back, token);
            Assert.Equal((ErrorCode.StorageUnavailable, 1000u), (away.Code, away.RetryAfterMs));
        }

        _store.Fault = null;
        Assert.True((await ResumeAsync(back, token)).Restored);
    }

    [Fact]
    public async Task A_database_that_is_away_keeps_nobody_from_resuming()
    {
        await using TestServer server = await StartAsync();
        await using TestClient lee = await server.ConnectAsync();
        ByteString token = (await lee.LoginAsync("lee")).ResumeToken;
        await lee.CreateAsync("lobby");
        await BreakAsync(server, lee);

        _store.Fault = new StorageException(StorageErrorKind.Busy, "locked");
        await using TestClient back = await server.ConnectAsync();

        Assert.Equal("lee", (await ResumeAsync(back, token)).Name);
    }

    [Fact]
    public async Task Refused_resumes_are_answered_so_often_and_then_the_session_is_closed()
    {
        await using TestServer server = await StartAsync();
        await using TestClient stranger = await server.ConnectAsync();
        for (int i = 0; i < 20; i++)
        {
            stranger.Send(ChatPackets.CResumeReq, Request(ByteString.CopyFromUtf8($"guess {i}")), (ushort)(i + 1));
        }

        List<IMessage> heard = await stranger.ReadToEndAsync();

        Assert.Equal(16, heard.OfType<SErrorNtf>().Count(error => error.Code == ErrorCode.ResumeRefused));
        Assert.Equal(CloseCode.LoginRequired, Assert.IsType<SCloseNtf>(heard[^1]).Reason);
    }

    [Fact]
    public async Task A_retry_makes_a_used_token_no_younger()
    {
        await using TestServer server = await StartAsync();
        await using TestClient lee = await server.ConnectAsync();
        ByteString token = (await lee.LoginAsync("lee")).ResumeToken;
        await using TestClient first = await server.ConnectAsync();
        await ResumeAsync(first, token);
        _time.Advance(TimeSpan.FromSeconds(20));
        await using TestClient second = await server.ConnectAsync();
        await ResumeAsync(second, token);

        _time.Advance(TimeSpan.FromSeconds(20));
        await using TestClient third = await server.ConnectAsync();

        Assert.Equal(ErrorCode.ResumeRefused, (await FailAsync(third, token)).Code);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_message_is_said_once_however_much_others_say_before_it_is_repeated(bool namesRoom)
    {
        const int Others = 5000;
        await using TestServer server = await StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        SLoginRes login = await lee.LoginAsync("lee");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);
        await lee.SayAsync(roomId, "once", clientMessageId: 7);
        await BreakAsync(server, lee);
        for (int i = 1; i < Others; i++)
        {
            kim.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = "busy", ClientMessageId = (ulong)i });
        }

        await kim.SayAsync(roomId, "last of them", clientMessageId: Others);
        await using TestClient back = await server.ConnectAsync();
        if (namesRoom)
        {
            await ResumeAsync(back, login.ResumeToken, (roomId, 2));
        }
        else
        {
            await ResumeAsync(back, login.ResumeToken);
            await back.JoinAsync(roomId);
        }

        SRoomChatRes again = await back.SayAsync(roomId, "once", clientMessageId: 7);
        await back.SayAsync(roomId, "end");
        int times = 0;
        for (string text = ""; text != "end"; times += text == "once" ? 1 : 0)
        {
            text = (await kim.NextAsync<SRoomChatNtf>()).Text;
        }

        Assert.Equal((2L, true), (again.Sequence, again.Duplicate));
        Assert.Equal(1, times);
        await server.StopAsync();
        Assert.Equal(2, Assert.Single(await ReadLeesAsync(server, roomId, login.PlayerId), record => record.Text == "once").Sequence);
    }

    private static async Task<List<ChatRecord>> ReadLeesAsync(TestServer server, long roomId, long playerId)
    {
        List<ChatRecord> all = [];
        IReadOnlyList<ChatRecord> page;
        do
        {
            page = await server.Store.ReadChatAfterAsync(roomId, all.Count > 0 ? all[^1].Sequence : 0, IChatStore.MaxReadLimit);
            all.AddRange(page);
        }
        while (page.Count > 0);

        return all.FindAll(record => record.PlayerId == playerId);
    }

    private Task<TestServer> StartAsync() => TestServer.StartUnderAsync(_time, _store.Wrap);
}
