using PlayChat.Chat.Accounts;
using PlayChat.Core;
using PlayChat.Protocol;
using PlayChat.Storage.Passwords;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Chat;

/// <summary>What happens to those who are silent, under a clock that the test moves.</summary>
public sealed class DeadlineTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task A_silent_player_is_asked_for_a_sign_of_life_and_then_told_and_closed()
    {
        await using TestServer server = await TestServer.StartUnderAsync(
            _time, "--PlayChat:Sessions:HeartbeatInterval=00:00:30", "--PlayChat:Sessions:IdleTimeout=00:00:50");
        await using TestClient client = await server.LoginAsync("kim");

        _time.Advance(TimeSpan.FromSeconds(30));
        await client.NextAsync<SHeartbeatNtf>();
        _time.Advance(TimeSpan.FromSeconds(20));
        SCloseNtf notice = await client.NextAsync<SCloseNtf>();

        Assert.Equal(CloseCode.IdleTimeout, notice.Reason);
    }

    [Fact]
    public async Task Who_does_not_log_in_in_time_is_told_and_closed()
    {
        await using TestServer server = await TestServer.StartUnderAsync(_time, "--PlayChat:Sessions:LoginTimeout=00:00:10");
        await using TestClient client = await server.ConnectAsync();
        await client.FailAsync(ChatPackets.CEchoReq, new CEchoReq()); // the server has it

        _time.Advance(TimeSpan.FromSeconds(9));
        await client.FailAsync(ChatPackets.CEchoReq, new CEchoReq()); // and has it still
        _time.Advance(TimeSpan.FromSeconds(1));
        SCloseNtf notice = await client.NextAsync<SCloseNtf>();

        Assert.Equal(CloseCode.LoginTimeout, notice.Reason);
    }

    [Fact]
    public async Task Who_waits_for_its_password_to_be_checked_is_not_closed_by_the_login_deadline()
    {
        await using TestServer server = await TestServer.StartUnderAsync(
            _time, "--Accounts:PasswordConcurrency=1", "--PlayChat:Sessions:LoginTimeout=00:00:10");
        using PasswordTurn turn = await server.Passwords.EnterAsync();
        await using TestClient witness = await server.ConnectAsync();
        await witness.FailAsync(ChatPackets.CEchoReq, new CEchoReq()); // the server has it
        await using TestClient client = await server.ConnectAsync();

        Task<SLoginRes> login = client.LoginAsync("kim", "secret");
        await Eventually.TrueAsync(() => server.Passwords.Pending == 2);
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(CloseCode.LoginTimeout, (await witness.NextAsync<SCloseNtf>()).Reason);
        await witness.Closed;
        turn.Dispose();

        Assert.Equal(1, (await login).PlayerId);
    }
    [Fact]
    public async Task Who_has_gone_while_its_password_waits_loses_its_place_at_the_next_heartbeat_and_costs_no_hash()
    {
        await using TestServer server = await TestServer.StartUnderAsync(
            _time, "--Accounts:PasswordConcurrency=1", "--PlayChat:Sessions:HeartbeatInterval=00:00:30");
        AccountLogin logins = server.Get<AccountLogin>();
        using PasswordTurn turn = await server.Passwords.EnterAsync();
        await using TestClient next = await server.ConnectAsync();
        await using TestClient queued = await server.ConnectAsync();
        await using TestClient stays = await server.ConnectAsync();
        next.Send(ChatPackets.CLoginReq, new CLoginReq { Name = "kim", Password = "secret", ClientVersion = "test/1" });
        await Eventually.TrueAsync(() => server.Passwords.Pending == 2);
        queued.Send(ChatPackets.CLoginReq, new CLoginReq { Name = "lee", Password = "secret", ClientVersion = "test/1" });
        await Eventually.TrueAsync(() => logins.Pending == 2);
        Task<SLoginRes> staying = stays.LoginAsync("mina", "secret");
        await Eventually.TrueAsync(() => logins.Pending == 3);

        next.Connection.Abort();
        queued.Connection.Abort();
        _time.Advance(TimeSpan.FromSeconds(30));
        await Eventually.TrueAsync(() => logins.Pending == 1); // and no login has had a turn yet
        turn.Dispose();

        // The names are new here, so a login that had its hash would have registered its name, and before this one.
        Assert.Equal(1, (await staying).PlayerId);
        Assert.Null(await server.Store.FindAccountAsync("kim"));
        Assert.Null(await server.Store.FindAccountAsync("lee"));
    }
}
