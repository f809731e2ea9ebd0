using System.Net;
using Microsoft.Extensions.DependencyInjection;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Configuration;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Accounts;

/// <summary>Two accounts a minute from one address: a share is thirty seconds.</summary>
public sealed class RegistrationTests
{
    private readonly ManualTimeProvider _time = new();

    [Theory]
    [InlineData("secret")]
    [InlineData("")]
    public async Task An_address_that_registers_many_names_waits_and_others_do_not(string password)
    {
        await using TestServer server = await StartAsync("--Accounts:RegistrationsPerMinute=2");
        AccountLogin logins = server.Get<AccountLogin>();
        Task<LoginResult> LogInAsync(string name, string address) => CheckAsync(logins, name, password, address);

        Assert.True((await LogInAsync("ann", "10.0.0.1")).IsNew);
        Assert.True((await LogInAsync("bob", "10.0.0.1")).IsNew);
        LoginResult refused = await LogInAsync("cat", "10.0.0.1");

        Assert.Equal((ErrorCode.LoginThrottled, TimeSpan.FromSeconds(30)), (refused.Code, refused.RetryAfter));
        Assert.Equal("Too many accounts were registered from your address. Try again in 30 seconds.", refused.Message);
        Assert.Null(await server.Store.FindAccountAsync("cat"));
        Assert.False((await LogInAsync("ann", "10.0.0.1")) is { Account: null } or { IsNew: true });
        Assert.True((await LogInAsync("dan", "10.0.0.2")).IsNew);

        _time.Advance(TimeSpan.FromSeconds(30));
        Assert.True((await LogInAsync("cat", "10.0.0.1")).IsNew);
    }

    [Theory]
    [InlineData("127.0.0.1", "2")]
    [InlineData("::1", "2")]
    [InlineData("::ffff:127.0.0.1", "2")]
    [InlineData("10.0.0.1", "0")]
    public async Task This_machine_has_no_limit_and_zero_is_none(string address, string perMinute)
    {
        await using TestServer server = await StartAsync($"--Accounts:RegistrationsPerMinute={perMinute}");
        AccountLogin logins = server.Get<AccountLogin>();

        for (int i = 0; i < 5; i++)
        {
            Assert.True((await CheckAsync(logins, $"player {i}", "secret", address)).IsNew);
        }
    }

    [Theory]
    [InlineData("Cop", "сор")] // the other one is Cyrillic
    [InlineData("сор", "Cop")]
    [InlineData("сор", "ϲορ")] // and this one Greek
    public async Task A_name_that_looks_like_an_account_in_letters_of_another_script_is_refused(string account, string name)
    {
        await using TestServer server = await StartAsync();
        AccountLogin logins = server.Get<AccountLogin>();
        Assert.True((await CheckAsync(logins, account, "secret", "10.0.0.1")).IsNew);

        foreach (string password in new[] { "secret", "" })
        {
            LoginResult refused = await CheckAsync(logins, name, password, "10.0.0.2");

            Assert.Equal(ErrorCode.NameInvalid, refused.Code);
        }

        Assert.Null(await server.Store.FindAccountAsync(name));
    }

    [Theory]
    [InlineData("secret")]
    [InlineData("")]
    public async Task Names_that_look_like_an_account_count_as_registrations_because_looking_for_them_costs_the_database(string password)
    {
        await using TestServer server = await StartAsync("--Accounts:RegistrationsPerMinute=2");
        AccountLogin logins = server.Get<AccountLogin>();
        Assert.True((await CheckAsync(logins, "Cop", "secret", "10.0.0.1")).IsNew);

        ErrorCode[] codes =
        [
            (await CheckAsync(logins, "сор", password, "10.0.0.2")).Code,
            (await CheckAsync(logins, "ϲορ", password, "10.0.0.2")).Code,
            (await CheckAsync(logins, "сор", password, "10.0.0.2")).Code,
        ];

        Assert.Equal([ErrorCode.NameInvalid, ErrorCode.NameInvalid, ErrorCode.LoginThrottled], codes);
    }

    [Fact]
    public async Task A_player_is_known_at_the_address_from_which_it_registered()
    {
        await using TestServer server = await StartAsync();
        var endPoint = new IPEndPoint(IPAddress.Parse("10.0.0.1"), 1);
        LoginOrigin home = LoginOrigin.Of("ann", endPoint);
        LoginThrottle throttle = server.Get<LoginThrottle>();
        Assert.Equal(LoginStanding.New, throttle.GetStanding(home));

        await CheckAsync(server.Get<AccountLogin>(), "ann", "secret", "10.0.0.1");

        Assert.Equal(LoginStanding.Familiar, throttle.GetStanding(home));
    }

    [Theory]
    [InlineData("secret")]
    [InlineData("")]
    public async Task A_login_that_asks_for_no_registration_is_told_that_the_name_is_unknown_and_counts_as_one(string password)
    {
        await using TestServer server = await StartAsync("--Accounts:RegistrationsPerMinute=2");
        AccountLogin logins = server.Get<AccountLogin>();
        Assert.True((await CheckAsync(logins, "ann", password, "10.0.0.2")).IsNew);

        LoginResult known = await CheckAsync(logins, "ann", password, "10.0.0.1", Registration.Never);
        LoginResult unknown = await CheckAsync(logins, "amn", password, "10.0.0.1", Registration.Never);
        Assert.Null(await server.Store.FindAccountAsync("amn"));
        LoginResult wanted = await CheckAsync(logins, "amn", password, "10.0.0.1");
        LoginResult another = await CheckAsync(logins, "anm", password, "10.0.0.1", Registration.Never);

        Assert.NotNull(known.Account);
        Assert.Equal(ErrorCode.NameUnknown, unknown.Code);
        Assert.Equal("There is no account amn. Correct the name, or create the account.", unknown.Message);
        Assert.True(wanted.IsNew);
        Assert.Equal(ErrorCode.LoginThrottled, another.Code);
    }

    [Theory]
    [InlineData("secret", "secret")]
    [InlineData("secret", "wrong")]
    [InlineData("", "")]
    public async Task A_login_that_only_registers_is_told_that_the_name_is_taken_whatever_the_password_and_counts_as_one(
        string password, string given)
    {
        await using TestServer server = await StartAsync("--Accounts:RegistrationsPerMinute=2");
        AccountLogin logins = server.Get<AccountLogin>();
        LoginResult made = await CheckAsync(logins, "ann", password, "10.0.0.1", Registration.Required);

        LoginResult taken = await CheckAsync(logins, "ANN", given, "10.0.0.1", Registration.Required);
        LoginResult another = await CheckAsync(logins, "ann", given, "10.0.0.1", Registration.Required);

        Assert.True(made.IsNew);
        Assert.Equal((ErrorCode.NameTaken, "The name ANN is taken. Choose another, or log in."), (taken.Code, taken.Message));
        Assert.Equal(ErrorCode.LoginThrottled, another.Code);
        Assert.NotNull((await CheckAsync(logins, "ann", password, "10.0.0.2")).Account);
    }

    [Fact]
    public async Task Where_names_are_not_registered_a_login_that_registers_learns_nothing_about_them()
    {
        await using TestServer server = await StartAsync("--Accounts:AutoRegister=false");
        AccountLogin logins = server.Get<AccountLogin>();
        await server.Store.CreateAccountAsync("ann", null, _time.GetUtcNow());

        LoginResult known = await CheckAsync(logins, "ann", "", "10.0.0.1", Registration.Required);
        LoginResult unknown = await CheckAsync(logins, "bob", "", "10.0.0.1", Registration.Required);

        Assert.Equal(ErrorCode.Forbidden, known.Code);
        Assert.Equal(known, unknown);
    }

    [Fact]
    public async Task A_login_that_asks_for_no_registration_learns_that_the_name_is_unknown_also_with_a_short_password()
    {
        await using TestServer server = await StartAsync("--Accounts:MinPasswordLength=8");

        LoginResult unknown = await CheckAsync(server.Get<AccountLogin>(), "ann", "short", "10.0.0.1", Registration.Never);

        Assert.Equal(ErrorCode.NameUnknown, unknown.Code);
    }

    private static Task<LoginResult> CheckAsync(
        AccountLogin logins, string name, string password, string address, Registration registration = Registration.IfUnknown) =>
        logins.CheckAsync(name, password, passwordless: true, registration, new IPEndPoint(IPAddress.Parse(address), 1), default);

    private Task<TestServer> StartAsync(params string[] args) => TestServer.StartInAsync(
        null, services => services.AddSingleton(provider => new LoginThrottle(provider.GetRequiredService<ServerSettings>(), _time)), args);
}
