using Microsoft.Extensions.DependencyInjection;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Configuration;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.Storage.Passwords;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Chat;

/// <summary>What a refused login says, and what it does not.</summary>
public sealed class RefusedLoginTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task A_disabled_account_and_an_unknown_name_are_refused_like_a_wrong_password()
    {
        await using TestServer server = await TestServer.StartAsync("--Accounts:AutoRegister=false");
        await AddAsync(server, "kim");
        await AddAsync(server, "lee", disabled: true);
        await server.Store.CreateAccountAsync("open", passwordHash: null, DateTimeOffset.UnixEpoch);
        await using TestClient client = await server.ConnectAsync();

        SErrorNtf wrong = await client.FailLoginAsync("kim", "wrong");
        SErrorNtf[] others =
        [
            await client.FailLoginAsync("lee", "secret"),
            await client.FailLoginAsync("lee", "wrong"),
            await client.FailLoginAsync("nobody", "secret"),
            await client.FailLoginAsync("open", "secret"),
        ];
        SErrorNtf withoutPassword = await client.FailLoginAsync("kim");
        SErrorNtf[] othersWithout = [await client.FailLoginAsync("lee"), await client.FailLoginAsync("nobody")];

        Assert.Equal(ErrorCode.LoginRefused, wrong.Code);
        Assert.All(others, other => Assert.Equal(wrong, other));
        Assert.Equal(ErrorCode.PasswordRequired, withoutPassword.Code);
        Assert.All(othersWithout, other => Assert.Equal(withoutPassword, other));
    }

    [Fact]
    public async Task A_disabled_account_logs_in_again_when_it_is_enabled()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient player = await server.LoginAsync("kim");
        await server.Store.SetAccountDisabledAsync(player.PlayerId, disabled: true);
        await using TestClient client = await server.ConnectAsync();

        Assert.Equal(ErrorCode.PasswordRequired, (await client.FailLoginAsync("kim")).Code);
        await server.Store.SetAccountDisabledAsync(player.PlayerId, disabled: false);

        Assert.Equal(player.PlayerId, (await client.LoginAsync("kim")).PlayerId);
    }

    [Theory]
    [InlineData("kim")]
    [InlineData("nobody")]
    public async Task Failed_logins_are_slowed_alike_whether_the_name_exists_or_not(string name)
    {
        await using TestServer server = await StartAsync(
            "--Accounts:AutoRegister=false", "--Accounts:FailedLoginsPerName=2", "--Accounts:FailedLoginWindow=00:01:00");
        await AddAsync(server, "kim");
        await using TestClient client = await server.ConnectAsync();

        Assert.Equal(ErrorCode.LoginRefused, (await client.FailLoginAsync(name, "wrong")).Code);
        Assert.Equal(ErrorCode.LoginRefused, (await client.FailLoginAsync(name.ToUpperInvariant(), "wrong")).Code);
        SErrorNtf slowed = await client.FailLoginAsync(name, "secret");

        Assert.Equal(ErrorCode.LoginThrottled, slowed.Code);
        Assert.Equal(30_000u, slowed.RetryAfterMs);
        Assert.Equal("Too many logins have failed. Try again in 30 seconds.", slowed.Message);
        _time.Advance(TimeSpan.FromSeconds(29));
        Assert.Equal(1_000u, (await client.FailLoginAsync(name, "secret")).RetryAfterMs);
        _time.Advance(TimeSpan.FromSeconds(1));
        if (name == "kim")
        {
            await client.LoginAsync(name, "secret");
        }
        else
        {
            Assert.Equal(ErrorCode.LoginRefused, (await client.FailLoginAsync(name, "secret")).Code);
        }
    }

    [Fact]
    public async Task Failed_logins_of_an_address_are_slowed_whatever_the_names()
    {
        await using TestServer server = await StartAsync("--Accounts:AutoRegister=false", "--Accounts:FailedLoginsPerAddress=3");
        await AddAsync(server, "kim");
        await using TestClient client = await server.ConnectAsync();

        foreach (string name in new[] { "a", "b", "c" })
        {
            Assert.Equal(ErrorCode.LoginRefused, (await client.FailLoginAsync(name, "wrong")).Code);
        }

        Assert.Equal(ErrorCode.LoginThrottled, (await client.FailLoginAsync("kim", "secret")).Code);
    }

    [Fact]
    public async Task Many_guesses_at_once_are_checked_no_more_than_one_after_the_other()
    {
        const int Guesses = 40;
        await using TestServer server = await TestServer.StartAsync(
            "--Accounts:AutoRegister=false", "--Accounts:PasswordConcurrency=1", "--Accounts:FailedLoginWindow=01:00:00");
        await AddAsync(server, "kim");
        TestClient[] clients = await Task.WhenAll(Enumerable.Range(0, Guesses).Select(_ => server.ConnectAsync()));

        SErrorNtf[] answers = await Task.WhenAll(clients.Select(static (client, i) => client.FailLoginAsync("kim", $"guess {i}")));

        Assert.Equal(Guesses, Assert.Single(server.Figures.Extras, static extra => extra.Key == "logins_refused").Value);
        // Four of one name wait at most; the others are told so, until the failures throttle them.
        Assert.InRange(answers.Count(static answer => answer.Code == ErrorCode.LoginRefused), LoginQueue.MaxAlike, 5);
        Assert.All(
            answers,
            static answer => Assert.True(answer.Code is ErrorCode.LoginRefused or ErrorCode.LoginThrottled or ErrorCode.ServerBusy));
        foreach (TestClient client in clients)
        {
            await client.DisposeAsync();
        }
    }

    private static async Task AddAsync(TestServer server, string name, bool disabled = false)
    {
        CreateAccountResult created = await server.Store.CreateAccountAsync(
            name, new PasswordHasher(PasswordHasher.MinIterations).Hash("secret"), DateTimeOffset.UnixEpoch);
        await server.Store.SetAccountDisabledAsync(created.Account.Id, disabled);
    }

    // The clock of the throttle alone; the server's own goes on, or nothing would be swept or stored.
    private Task<TestServer> StartAsync(params string[] args) => TestServer.StartInAsync(
        null,
        services => services.AddSingleton(provider => new LoginThrottle(provider.GetRequiredService<ServerSettings>(), _time)),
        args);
}
