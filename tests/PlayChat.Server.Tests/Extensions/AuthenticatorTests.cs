using PlayChat.Chat.Extensions;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;

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
    public async Task A_login_is_decided_in_one_place() =>
        await Assert.ThrowsAsync<InvalidOperationException>(() => TestServer.StartExtendedAsync(
            static chat => chat.UseAuthenticator<Tokens>().UseAuthenticator<Tokens>()));

    [Fact]
    public void A_login_that_is_logged_shows_no_password() =>
        Assert.Equal("Ann at ", new ChatLogin("Ann", "secret", Peer: null).ToString());

    private static Task<TestServer> StartAsync() => TestServer.StartExtendedAsync(static chat => chat.UseAuthenticator<Tokens>());

    internal sealed class Tokens : IChatAuthenticator
    {
        public ValueTask<ChatLoginDecision> AuthenticateAsync(ChatLogin login, CancellationToken cancellationToken) => new(
            login.Password.StartsWith("token of ", StringComparison.Ordinal) ? ChatLoginDecision.As(login.Password[9..].Split(" x")[0])
            : login.Password == "refused" ? ChatLoginDecision.Refuse("Your token has expired. Get a new one.")
            : login.Password == "throws" ? throw new InvalidOperationException("broken")
            : ChatLoginDecision.UseAccounts);
    }
}
