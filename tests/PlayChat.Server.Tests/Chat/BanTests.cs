using System.Net;
using Google.Protobuf;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Diagnostics;
using PlayChat.Chat.Hosting;
using PlayChat.Core;
using PlayChat.Protocol;
using PlayChat.Server.Tests.ChatLog;
using PlayChat.Storage;
using PlayChat.TestUtilities;
using static PlayChat.Server.Tests.Chat.Resuming;

namespace PlayChat.Server.Tests.Chat;

/// <summary>What a ban does to a running server.</summary>
public sealed class BanTests
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(10);

    private readonly ManualTimeProvider _time = new();
    private readonly FaultyStore _store = new();
    private readonly RecordingLogger _log = new();

    [Fact]
    public async Task A_banned_player_is_told_why_leaves_its_rooms_and_does_not_get_in_until_the_ban_ends()
    {
        await using TestServer server = await StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        SLoginRes login = await lee.LoginAsync("Lee", "a password");
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await lee.JoinAsync(roomId);
        DateTimeOffset end = _time.GetUtcNow() + TimeSpan.FromHours(1);
        await server.Store.SaveBanAsync(new Ban(BanSubject.OfAccount("Lee"), "spam", _time.GetUtcNow(), end));

        _time.Advance(s_interval);
        SErrorNtf told = await lee.NextAsync<SErrorNtf>();
        SCloseNtf notice = await lee.NextAsync<SCloseNtf>();
        await lee.Closed;
        string left = (await kim.NextAsync<SRoomChatNtf>()).Text;
        await using TestClient again = await server.ConnectAsync();
        SErrorNtf wrong = await again.FailLoginAsync("lee", "no password");
        SErrorNtf refused = await again.FailLoginAsync("lee", "a password");
        SErrorNtf resumed = await FailAsync(again, login.ResumeToken);

        string sentence = $"This account is banned until {end:yyyy-MM-dd HH:mm} UTC: spam. Ask the operator of the server.";
        var expected = new SErrorNtf
        {
            Code = ErrorCode.Banned,
            Message = sentence,
            RetryAfterMs = (uint)(TimeSpan.FromHours(1) - s_interval).TotalMilliseconds,
        };
        Assert.Equal(expected, told);
        Assert.Equal((CloseCode.LocalClose, sentence, 0u), (notice.Reason, notice.Message, notice.RetryAfterMs));
        Assert.Equal("Lee is offline.", left);
        Assert.Equal(ErrorCode.LoginRefused, wrong.Code); // without the password a client learns nothing of the ban
        expected.PacketId = (uint)PacketId.CLoginReq;
        Assert.Equal(expected, refused);
        Assert.Equal(ErrorCode.ResumeRefused, resumed.Code);
        Assert.Equal(1, _log.Count(nameof(ServerLog.SessionBanned)));

        _time.Advance(TimeSpan.FromHours(1) - s_interval);
        await using TestClient back = await server.ConnectAsync();
        Assert.Equal(login.PlayerId, (await back.LoginAsync("lee", "a password")).PlayerId);
        while ((await server.Store.ListBansAsync()).Count > 0)
        {
            _time.Advance(s_interval); // an expired ban is removed at the next look
        }
    }

    [Fact]
    public async Task A_player_that_is_away_when_it_is_banned_does_not_come_back()
    {
        await using TestServer server = await StartAsync();
        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        ByteString token = (await lee.LoginAsync("lee")).ResumeToken;
        await BreakAsync(server, lee);
        await BanAsync(server, BanSubject.OfAccount("lee"));

        await ReloadAsync(server);

        Assert.Equal(0, CountAway(server));
        await using TestClient back = await server.ConnectAsync();
        Assert.Equal(ErrorCode.ResumeRefused, (await FailAsync(back, token)).Code);
        Assert.Equal(ErrorCode.Banned, (await back.FailLoginAsync("lee")).Code);
        Assert.NotNull(await kim.AskAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq()));
    }

    [Fact]
    public async Task A_player_that_is_banned_and_whose_session_has_not_ended_yet_is_refused_when_it_resumes()
    {
        await using TestServer server = await StartAsync();
        await using TestClient lee = await server.ConnectAsync();
        ByteString token = (await lee.LoginAsync("lee")).ResumeToken;
        await BreakAsync(server, lee);
        server.Get<BanList>().Replace(
            new BanTable([new Ban(BanSubject.OfAccount("lee"), "", _time.GetUtcNow(), ExpiresAt: null)]));

        await using TestClient back = await server.ConnectAsync();
        SErrorNtf refused = await FailAsync(back, token);

        Assert.Equal((ErrorCode.Banned, "This account is banned. Ask the operator of the server."), (refused.Code, refused.Message));
        Assert.Equal(CloseReason.PeerClosed, await back.Closed);
        Assert.Null(server.Server.Sessions.FindUser("lee"));
    }

    [Fact]
    public async Task A_banned_address_loses_its_sessions_and_is_refused_when_it_connects()
    {
        const string Sentence = "Your address is banned: attacks. Ask the operator of the server.";
        await using TestServer server = await StartAsync();
        await using TestClient lee = await server.LoginAsync("lee");
        await using TestClient stranger = await server.ConnectAsync();
        await stranger.FailAsync(ChatPackets.CEchoReq, new CEchoReq()); // the server has the session
        await BanAsync(server, BanSubject.OfNetwork(IPAddress.Parse("127.9.9.9"), 8), "attacks");

        await ReloadAsync(server);
        await lee.Closed;
        await stranger.Closed;
        await using TestClient late = await server.ConnectAsync();
        List<IMessage> heard = await late.ReadToEndAsync();

        Assert.Equal(
            [
                new SErrorNtf { Code = ErrorCode.Banned, Message = Sentence },
                new SCloseNtf { Reason = CloseCode.LocalClose, Message = Sentence },
            ],
            heard);
        Assert.Equal(1, _log.Count(nameof(ServerLog.AddressBanned)));

        await server.Store.RemoveBanAsync(BanSubject.OfNetwork(IPAddress.Parse("127.0.0.0"), 8));
        await ReloadAsync(server);
        await using TestClient back = await server.LoginAsync("lee");
    }

    [Fact]
    public async Task Bans_of_before_the_start_are_in_effect_from_the_first_connection_on()
    {
        using var directory = new TemporaryDirectory();
        await using (TestServer first = await TestServer.StartInAsync(directory.Path, null))
        {
            await BanAsync(first, BanSubject.OfNetwork(IPAddress.Loopback));
        }

        await using TestServer server = await TestServer.StartInAsync(directory.Path, null);
        await using TestClient client = await server.ConnectAsync();

        Assert.IsType<SCloseNtf>((await client.ReadToEndAsync())[^1]);
    }

    [Fact]
    public async Task While_the_database_is_away_the_known_bans_stay_and_one_warning_says_so()
    {
        await using TestServer server = await StartAsync();
        await using TestClient lee = await server.LoginAsync("lee");
        await BanAsync(server, BanSubject.OfAccount("lee"));
        await ReloadAsync(server);
        await lee.Closed;

        _store.BansFault = new StorageException(StorageErrorKind.Unavailable, "The database is away.");
        int looks = _store.BansRead;
        await Eventually.TrueAsync(() =>
        {
            _time.Advance(s_interval);
            return _store.BansRead >= looks + 3;
        });

        await using TestClient again = await server.ConnectAsync();
        Assert.Equal(ErrorCode.Banned, (await again.FailLoginAsync("lee")).Code);
        Assert.Equal(1, _log.Count(nameof(ServerLog.BansNotRead)));

        _store.BansFault = null;
        await server.Store.RemoveBanAsync(BanSubject.OfAccount("lee"));
        await Eventually.TrueAsync(() =>
        {
            _time.Advance(s_interval);
            return server.Get<BanList>().Table.All.Count == 0;
        });

        await using TestClient back = await server.LoginAsync("lee");
    }

    [Fact]
    public async Task Where_an_expired_ban_cannot_be_removed_the_server_starts_and_new_bans_take_effect()
    {
        using var directory = new TemporaryDirectory();
        await using (TestServer first = await TestServer.StartInAsync(directory.Path, null))
        {
            DateTimeOffset past = DateTimeOffset.UtcNow - TimeSpan.FromDays(1);
            await first.Store.SaveBanAsync(new Ban(BanSubject.OfAccount("kim"), "", past, past + TimeSpan.FromHours(1)));
        }

        _store.BanRemovalFault = new StorageException(StorageErrorKind.DiskFull, "The disk is full.");
        await using TestServer server = await TestServer.StartInAsync(directory.Path, services =>
        {
            _store.Wrap(services);
            services.AddSingleton<ILogger<BanWatch>>(new Logger<BanWatch>(_log));
        });
        await server.Store.SaveBanAsync(new Ban(BanSubject.OfAccount("lee"), "", DateTimeOffset.UtcNow, ExpiresAt: null));
        await ReloadAsync(server);

        await using TestClient kim = await server.LoginAsync("kim");
        await using TestClient lee = await server.ConnectAsync();
        Assert.Equal(ErrorCode.Banned, (await lee.FailLoginAsync("lee")).Code);
        Assert.Equal(1, _log.Count(nameof(ServerLog.BansNotRemoved)));
    }

    [Fact]
    public async Task A_database_that_does_not_answer_is_one_warning_also_when_nobody_logs_in_and_one_line_when_it_is_back()
    {
        await using TestServer server = await StartAsync();
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _store.BansWaitFor = back.Task;

        await Eventually.TrueAsync(() =>
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            return _log.Count(nameof(ServerLog.DatabaseSilent)) > 0;
        });
        _time.Advance(TimeSpan.FromHours(1));
        _store.BansWaitFor = null;
        back.SetResult();
        await Eventually.TrueAsync(() => _log.Count(nameof(ServerLog.DatabaseAnswers)) > 0);

        Assert.Collection(
            _log.Entries,
            static silent => Assert.StartsWith("SQLite has not answered since 2024-", silent.Text, StringComparison.Ordinal),
            static back => Assert.StartsWith("SQLite is back: it had not answered for ", back.Text, StringComparison.Ordinal));
    }

    private static Task ReloadAsync(TestServer server) => server.Get<Reloader>().ReloadAsync().WaitAsync(TestTimeouts.Hang);

    private Task BanAsync(TestServer server, BanSubject subject, string reason = "") =>
        server.Store.SaveBanAsync(new Ban(subject, reason, _time.GetUtcNow(), ExpiresAt: null));

    private Task<TestServer> StartAsync() => TestServer.StartUnderAsync(_time, services =>
    {
        _store.Wrap(services);
        services.AddSingleton<ILogger<BanWatch>>(new Logger<BanWatch>(_log));
    });
}
