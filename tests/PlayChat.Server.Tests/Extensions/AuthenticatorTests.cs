using System.Globalization;
using PlayChat.Chat.Extensions;
using PlayChat.Core;
using PlayChat.Core.Hosting;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;
using static PlayChat.Server.Tests.Chat.Resuming;

namespace PlayChat.Server.Tests.Extensions;

/// <summary>Logins that code of one's own decides.</summary>
public sealed class AuthenticatorTests
{
    [Fact]
    public async Task A_token_is_a_player_who_keeps_its_account()
    {
        await using TestServer server = await StartAsync();
        await using TestClient first = await server.ConnectAsync();
        SLoginRes login = await first.LoginAsync("", "token of Ann " + new string('x', 3000)); // longer than any password
        await using TestClient second = await server.ConnectAsync();
        SLoginRes again = await second.LoginAsync("ignored", "token of Ann");

        Assert.Equal("Ann", login.Name);
        Assert.Equal(login.PlayerId, again.PlayerId);
    }

    [Theory]
    [InlineData("refused", ErrorCode.LoginRefused, "Your token has expired. Get a new one.")]
    [InlineData("token of a\tb", ErrorCode.NameInvalid, null)]
    [InlineData("throws", ErrorCode.Unavailable, null)]
    public async Task Other_logins_are_refused_in_a_sentence(string token, ErrorCode code, string? message)
    {
        await using TestServer server = await StartAsync();
        await using TestClient client = await server.ConnectAsync();

        SErrorNtf error = await client.FailLoginAsync("Ann", token);

        Assert.Equal(code, error.Code);
        Assert.Equal(message ?? error.Message, error.Message);
    }

    [Fact]
    public async Task Accounts_of_the_server_still_log_in_by_password_and_none_by_its_name_alone()
    {
        await using TestServer server = await StartAsync();
        await using TestClient ann = await server.ConnectAsync();
        await ann.LoginAsync("", "token of Ann");
        await using TestClient client = await server.ConnectAsync();

        Assert.Equal(ErrorCode.PasswordRequired, (await client.FailLoginAsync("Ann")).Code);
        Assert.Equal(ErrorCode.LoginRefused, (await client.FailLoginAsync("Ann", "password")).Code); // she has none
        Assert.Equal("Bob", (await client.LoginAsync("Bob", "his password")).Name);
    }

    [Fact]
    public async Task A_player_that_the_authenticator_let_in_gives_itself_no_password()
    {
        await using TestServer server = await StartAsync();
        await using TestClient ann = await server.ConnectAsync();
        await ann.LoginAsync("", "token of Ann");
        await using TestClient bob = await server.ConnectAsync();
        await bob.LoginAsync("Bob", "his password");

        SErrorNtf refused = await ann.FailAsync(
            ChatPackets.CChangePasswordReq, new CChangePasswordReq { OldPassword = "", NewPassword = "long enough" });
        await bob.AskAsync<CChangePasswordReq, SChangePasswordRes>(
            ChatPackets.CChangePasswordReq, new CChangePasswordReq { OldPassword = "his password", NewPassword = "long enough" });
        await using TestClient again = await server.ConnectAsync();

        Assert.Equal(ErrorCode.Forbidden, refused.Code);
        Assert.Equal(ErrorCode.LoginRefused, (await again.FailLoginAsync("Ann", "long enough")).Code);
    }

    [Fact]
    public async Task A_login_until_the_end_of_time_does_not_expire()
    {
        await using TestServer server = await StartAsync();
        await using TestClient ann = await server.ConnectAsync();

        await ann.LoginAsync("", "always for Ann");

        Assert.False(server.Server.Sessions.FindUser("Ann")!.HasLoginExpired);
    }

    [Fact]
    public async Task A_disabled_account_is_refused_whatever_the_authenticator_says()
    {
        await using TestServer server = await StartAsync();
        await using TestClient ann = await server.ConnectAsync();
        SLoginRes login = await ann.LoginAsync("", "token of Ann");
        await server.Store.SetAccountDisabledAsync(login.PlayerId, true);
        await using TestClient again = await server.ConnectAsync();

        Assert.Equal(ErrorCode.LoginRefused, (await again.FailLoginAsync("", "token of Ann")).Code);
    }

    [Fact]
    public async Task Refusals_of_a_name_count_as_wrong_passwords_do()
    {
        await using TestServer server = await StartAsync();
        await using TestClient client = await server.ConnectAsync();

        ErrorCode code;
        do
        {
            code = (await client.FailLoginAsync("Ann", "refused")).Code;
        }
        while (code == ErrorCode.LoginRefused);

        Assert.Equal(ErrorCode.LoginThrottled, code);
    }

    [Fact]
    public async Task A_session_ends_when_its_login_expires_and_does_not_resume()
    {
        var time = new ManualTimeProvider();
        await using TestServer server = await StartAsync(time);
        await using TestClient ann = await server.ConnectAsync();
        SLoginRes login = await ann.LoginAsync("", "10 minutes for Ann");
        await using TestClient bob = await server.ConnectAsync();
        await bob.LoginAsync("Bob", "his password");
        await AdvanceAsync(time, 9, ann, bob);

        time.Advance(TimeSpan.FromMinutes(1));
        SCloseNtf told = await ann.NextAsync<SCloseNtf>();
        await ann.Closed;
        await AdvanceAsync(time, 0, bob);
        await using TestClient back = await server.ConnectAsync();

        Assert.Equal(((CloseCode)(int)CloseReason.LoginExpired, "Your login has expired. Log in again."), (told.Reason, told.Message));
        Assert.Equal(ErrorCode.ResumeRefused, (await FailAsync(back, login.ResumeToken)).Code);
    }

    [Fact]
    public async Task A_player_that_was_away_when_its_login_expired_does_not_resume()
    {
        var time = new ManualTimeProvider();
        await using TestServer server = await StartAsync(time);
        await using TestClient ann = await server.ConnectAsync();
        SLoginRes login = await ann.LoginAsync("", "10 minutes for Ann");
        await AdvanceAsync(time, 9, ann);
        time.Advance(TimeSpan.FromSeconds(50));
        await BreakAsync(server, ann);
        time.Advance(TimeSpan.FromSeconds(10)); // the resume window is longer
        Assert.Equal(1, CountAway(server));
        await using TestClient back = await server.ConnectAsync();

        SErrorNtf refused = await FailAsync(back, login.ResumeToken);

        Assert.Equal((ErrorCode.ResumeRefused, "Your login has expired. Log in again."), (refused.Code, refused.Message));
        Assert.Equal(0, CountAway(server));
    }

    [Fact]
    public async Task A_login_that_has_expired_already_is_refused_and_one_by_a_token_does_not_stay_logged_in()
    {
        await using TestServer server = await StartAsync(new ManualTimeProvider());
        await using TestClient client = await server.ConnectAsync();

        Assert.Equal(ErrorCode.LoginRefused, (await client.FailLoginAsync("", "0 minutes for Ann")).Code);
        SLoginRes login = await client.AskAsync<CLoginReq, SLoginRes>(
            ChatPackets.CLoginReq, new CLoginReq { Password = "token of Ann", Keep = true });
        Assert.Empty(login.LoginToken);
    }

    [Fact]
    public void A_decision_about_a_session_is_one_about_a_login()
    {
        DateTimeOffset end = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

        Assert.Equal(
            ChatLoginDecision.Until("Ann", end), ChatLoginDecision.From(LoginDecision.Until(new SessionUser(7, "Ann"), end)));
        Assert.Equal(ChatLoginDecision.As("Ann"), ChatLoginDecision.From(new SessionUser(7, "Ann")));
        Assert.Equal(ChatLoginDecision.Refuse("No."), ChatLoginDecision.From(LoginDecision.Refuse("No.")));
        Assert.Equal(ChatLoginDecision.Refuse("The login is refused. Ask the operator of the server."), ChatLoginDecision.From(default));
    }

    [Fact]
    public async Task A_login_is_decided_in_one_place() =>
        await Assert.ThrowsAsync<InvalidOperationException>(() => TestServer.StartExtendedAsync(
            static chat => chat.UseAuthenticator<Tokens>().UseAuthenticator<Tokens>()));

    [Fact]
    public void A_login_that_is_logged_shows_no_password() =>
        Assert.Equal("Ann at ", new ChatLogin("Ann", "secret", Peer: null).ToString());

    private static Task<TestServer> StartAsync(TimeProvider? time = null) =>
        TestServer.StartExtendedAsync(static chat => chat.UseAuthenticator<Tokens>(), time);

    /// <summary>Moves the clock by minutes, in which the players are not silent.</summary>
    private static async Task AdvanceAsync(ManualTimeProvider time, int minutes, params TestClient[] clients)
    {
        for (int minute = 0; minute <= minutes; minute++)
        {
            time.Advance(TimeSpan.FromMinutes(minute > 0 ? 1 : 0));
            foreach (TestClient client in clients)
            {
                await client.AskAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq());
            }
        }
    }

    internal sealed class Tokens(TimeProvider time) : IChatAuthenticator
    {
        public ValueTask<ChatLoginDecision> AuthenticateAsync(ChatLogin login, CancellationToken cancellationToken) => new(
            login.Password.StartsWith("token of ", StringComparison.Ordinal) ? ChatLoginDecision.As(login.Password[9..].Split(" x")[0])
            : login.Password.EndsWith(" minutes for Ann", StringComparison.Ordinal)
                ? ChatLoginDecision.Until("Ann", time.GetUtcNow().AddMinutes(int.Parse(login.Password[..2], CultureInfo.InvariantCulture)))
            : login.Password == "always for Ann" ? ChatLoginDecision.Until("Ann", DateTimeOffset.MaxValue)
            : login.Password == "refused" ? ChatLoginDecision.Refuse("Your token has expired. Get a new one.")
            : login.Password == "throws" ? throw new InvalidOperationException("broken")
            : ChatLoginDecision.UseAccounts);
    }
}
