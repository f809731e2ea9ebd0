using PlayChat.Core;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Chat;

public sealed class LoginTests
{
    [Fact]
    public async Task An_unknown_name_is_registered_and_keeps_its_id_and_spelling()
    {
        await using TestServer server = await TestServer.StartAsync("--PlayChat:Rooms:MaxMembers=7");
        await using TestClient first = await server.ConnectAsync();
        SLoginRes answer = await first.LoginAsync("민수 Kim");
        await using TestClient second = await server.ConnectAsync();
        SLoginRes again = await second.LoginAsync("민수 KIM");

        Assert.Equal(1, answer.PlayerId);
        Assert.Equal("민수 Kim", answer.Name);
        Assert.Equal(7u, answer.Server.MaxRoomMembers);
        Assert.Equal(65536u, answer.Server.MaxFrameBytes);
        Assert.Equal(120_000u, answer.Server.IdleTimeoutMs);
        Assert.StartsWith("PlayChat ", answer.Server.Version, StringComparison.Ordinal);
        Assert.Equal(answer.PlayerId, again.PlayerId);
        Assert.Equal("민수 Kim", again.Name);
        Account account = Assert.IsType<Account>(await server.Store.FindAccountAsync("민수 kim"));
        Assert.False(account.HasPassword);
        Assert.NotNull(account.LastLoginAt);
    }

    [Theory]
    [InlineData("")]
    [InlineData("   ")]
    [InlineData("tab\there")]
    [InlineData("line\u2028here")]
    [InlineData("system")]
    [InlineData(" SYSTEM")]
    [InlineData("ＳＹＳＴＥＭ")]
    [InlineData("aaaaaaaaaabbbbbbbbbbccccccccccddd")]
    [InlineData("👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋")]
    public async Task A_name_that_breaks_a_rule_is_refused_and_the_connection_goes_on(string name)
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient client = await server.ConnectAsync();

        SErrorNtf error = await client.FailLoginAsync(name);

        Assert.Equal(ErrorCode.NameInvalid, error.Code);
        Assert.Contains("Choose another.", error.Message, StringComparison.Ordinal);
        Assert.Equal((uint)PacketId.CLoginReq, error.PacketId);
        await client.LoginAsync("kim");
    }

    [Theory]
    [InlineData("a")]
    [InlineData("aaaaaaaaaabbbbbbbbbbccccccccccdd")]
    [InlineData("👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋👋")]
    [InlineData("e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301")]
    [InlineData("SYSTEM2")]
    public async Task A_name_at_its_bounds_is_taken_as_it_is(string name)
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient client = await server.ConnectAsync();

        SLoginRes answer = await client.LoginAsync(name);

        Assert.Equal(name, answer.Name);
    }

    [Fact]
    public async Task An_account_with_a_password_needs_that_password()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient owner = await server.ConnectAsync();
        await owner.LoginAsync("kim", "비밀번호");
        await using TestClient client = await server.ConnectAsync();

        Assert.Equal(ErrorCode.PasswordRequired, (await client.FailLoginAsync("kim")).Code);
        Assert.Equal(ErrorCode.PasswordRequired, (await client.FailLoginAsync("kim", "")).Code);
        Assert.Equal(ErrorCode.LoginRefused, (await client.FailLoginAsync("kim", "wrong")).Code);
        Assert.Equal(ErrorCode.LoginRefused, (await client.FailLoginAsync("kim", new string('x', 257))).Code);
        Assert.Equal(1, (await client.LoginAsync("KIM", "비밀번호")).PlayerId);
    }

    [Fact]
    public async Task An_account_without_a_password_is_not_opened_by_one()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient owner = await server.LoginAsync("kim");
        await using TestClient client = await server.ConnectAsync();

        Assert.Equal(ErrorCode.LoginRefused, (await client.FailLoginAsync("kim", "anything")).Code);
    }

    [Fact]
    public async Task A_weaker_hash_is_renewed_at_the_next_login()
    {
        using var directory = new TemporaryDirectory();
        string weak;
        await using (TestServer before = await TestServer.StartInAsync(directory.Path, null))
        {
            await using TestClient client = await before.ConnectAsync();
            await client.LoginAsync("kim", "secret");
            weak = (await before.Store.FindAccountAsync("kim"))!.PasswordHash!;
        }

        await using TestServer after = await TestServer.StartInAsync(directory.Path, null, "--Accounts:PasswordIterations=2000");
        await using TestClient again = await after.ConnectAsync();
        await again.LoginAsync("kim", "secret");
        string renewed = (await after.Store.FindAccountAsync("kim"))!.PasswordHash!;

        Assert.Contains("$1000$", weak, StringComparison.Ordinal);
        Assert.Contains("$2000$", renewed, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_AutoRegister_an_unknown_name_is_refused_like_a_wrong_password()
    {
        await using TestServer server = await TestServer.StartAsync("--Accounts:AutoRegister=false");
        await using TestClient client = await server.ConnectAsync();

        SErrorNtf byName = await client.FailLoginAsync("kim");
        SErrorNtf byPassword = await client.FailLoginAsync("kim", "secret");

        Assert.Equal(ErrorCode.PasswordRequired, byName.Code);
        Assert.Equal(ErrorCode.LoginRefused, byPassword.Code);
        Assert.Null(await server.Store.FindAccountAsync("kim"));
    }

    [Theory]
    [InlineData("127.0.0.1", "auto", true)]
    [InlineData("[::1]", "auto", true)]
    [InlineData("0.0.0.0", "auto", false)]
    [InlineData("*", "auto", false)]
    [InlineData("0.0.0.0", "true", true)]
    [InlineData("127.0.0.1", "false", false)]
    public async Task Passwordless_logins_are_allowed_by_endpoint_unless_set(string host, string policy, bool allowed)
    {
        await using TestServer server = await TestServer.StartOnSocketsAsync("--host", host, "--Accounts:AllowPasswordless", policy);
        var address = host == "[::1]" ? System.Net.IPAddress.IPv6Loopback : System.Net.IPAddress.Loopback;
        await using TestClient client = await TestClient.ConnectAsync(new System.Net.IPEndPoint(address, server.EndPoint.Port));

        if (allowed)
        {
            await client.LoginAsync("kim");
        }
        else
        {
            Assert.Equal(ErrorCode.PasswordRequired, (await client.FailLoginAsync("kim")).Code);
            await client.LoginAsync("kim", "secret");
        }
    }

    [Fact]
    public async Task A_second_login_on_one_connection_is_refused()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient client = await server.LoginAsync("kim");

        Assert.Equal(ErrorCode.AlreadyLoggedIn, (await client.FailLoginAsync("lee")).Code);
    }

    [Fact]
    public async Task A_later_login_takes_over_and_the_older_session_is_told_and_closed()
    {
        await using TestServer server = await TestServer.StartAsync("--PlayChat:Sessions:MaxPerUser=1");
        await using TestClient older = await server.LoginAsync("Ann");
        long roomId = (await older.CreateAsync("lobby")).RoomId;
        await using TestClient other = await server.LoginAsync("kim");
        await other.JoinAsync(roomId);
        long olderId = server.Server.Sessions.FindUser("Ann")!.Id;

        await using TestClient newer = await server.LoginAsync("ann");
        SCloseNtf notice = await older.NextAsync<SCloseNtf>();
        await older.Closed;
        SRoomChatNtf left = await other.NextAsync<SRoomChatNtf>();
        SJoinRoomRes joined = await newer.JoinAsync(roomId);

        Assert.Equal(CloseCode.TakenOver, notice.Reason);
        Assert.Equal("Ann has logged in from elsewhere.", notice.Message);
        Assert.NotEqual(olderId, server.Server.Sessions.FindUser("Ann")!.Id);
        Assert.Equal("Ann is offline.", left.Text);
        Assert.Equal(2, joined.Members.Count);
        // The server counts it when it has seen the client's end, which may be later than the client sees the server's.
        await Eventually.TrueAsync(() => server.Figures.GetCloses(CloseReason.TakenOver) == 1);
    }

    [Fact]
    public async Task Before_login_requests_are_refused_and_then_the_session_is_closed()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient client = await server.ConnectAsync();

        SErrorNtf error = await client.FailAsync(ChatPackets.CEchoReq, new CEchoReq());
        client.Send(ChatPackets.CHeartbeatNtf, new CHeartbeatNtf());
        for (int i = 0; i < 20; i++)
        {
            client.Send(ChatPackets.CListRoomsReq, new CListRoomsReq());
        }

        SCloseNtf notice = Assert.IsType<SCloseNtf>((await client.ReadToEndAsync())[^1]);

        Assert.Equal(ErrorCode.LoginRequired, error.Code);
        Assert.Equal(CloseCode.LoginRequired, notice.Reason);
    }

    [Fact]
    public async Task A_client_version_that_is_too_long_is_malformed()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient client = await server.ConnectAsync();

        SErrorNtf error = await client.FailAsync(
            ChatPackets.CLoginReq, new CLoginReq { Name = "kim", ClientVersion = new string('v', 65) });

        Assert.Equal(ErrorCode.MalformedPacket, error.Code);
    }
}
