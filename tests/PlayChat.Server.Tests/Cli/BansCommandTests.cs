using PlayChat.Chat.Accounts;
using PlayChat.Chat.Cli;
using PlayChat.Storage;
using PlayChat.Storage.Sqlite;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Cli;

public sealed class BansCommandTests : IDisposable
{
    private readonly TemporaryDirectory _directory = new();
    private readonly StringWriter _output = new() { NewLine = "\n" };
    private readonly StringWriter _error = new() { NewLine = "\n" };
    private readonly ManualTimeProvider _time = new();

    private string DatabasePath => _directory.Combine("playchat.db");

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task Bans_are_added_replaced_listed_and_removed()
    {
        await AddAccountAsync("이 영희");
        string week = $"{_time.GetUtcNow().AddDays(7):yyyy-MM-dd HH:mm}";
        string now = $"{_time.GetUtcNow():yyyy-MM-dd HH:mm}";

        Assert.Equal(ExitCode.Success, await RunAsync("add", "이 영희", "--for", "7d", "--reason", "도배"));
        Assert.Equal(ExitCode.Success, await RunAsync("add", "203.0.113.9/24", "--reason=first"));
        Assert.Equal(ExitCode.Success, await RunAsync("add", "203.0.113.0/24"));
        Assert.Equal(ExitCode.Success, await RunAsync("list"));
        Assert.Equal(ExitCode.Success, await RunAsync("remove", "203.0.113.77/24"));
        Assert.Equal(ExitCode.Failed, await RunAsync("remove", "203.0.113.77/24"));
        Assert.Equal(ExitCode.Success, await RunAsync("list"));

        Assert.Equal(
            [
                $"이 영희 is banned until {week} UTC. A running server takes that over within 00:00:10.",
                "203.0.113.0/24 is banned without end. A running server takes that over within 00:00:10.",
                "203.0.113.0/24 is banned without end. A running server takes that over within 00:00:10.",
                "until             since             banned                    reason",
                $"{week}  {now}  이 영희                      도배",
                $"no end            {now}  203.0.113.0/24",
                $"These bans are in {DatabasePath}.",
                "203.0.113.0/24 is no longer banned.",
                "until             since             banned                    reason",
                $"{week}  {now}  이 영희                      도배",
                $"These bans are in {DatabasePath}.",
            ],
            _output.ToString().TrimEnd('\n').Split('\n'));
        Assert.Equal($"There is no ban of 203.0.113.0/24 in {DatabasePath}.\n", _error.ToString());
    }

    [Fact]
    public async Task An_expired_ban_is_not_listed()
    {
        await RunAsync("add", "203.0.113.9", "--for", "30m");
        _time.Advance(TimeSpan.FromMinutes(30));
        _output.GetStringBuilder().Clear();

        Assert.Equal(ExitCode.Success, await RunAsync("list"));

        Assert.Equal($"No bans in {DatabasePath}.\n", _output.ToString());
    }

    [Theory]
    [InlineData("list")]
    [InlineData("remove", "203.0.113.9")]
    [InlineData("add", "kim")]
    public async Task Without_a_database_no_command_but_a_ban_of_an_address_makes_one(params string[] words)
    {
        Assert.Equal(ExitCode.Failed, await RunAsync(words));

        Assert.StartsWith($"There is no database '{DatabasePath}'.", _error.ToString(), StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFileSystemEntries(_directory.Path));
    }

    [Fact]
    public async Task A_player_is_banned_as_its_account_is_written_and_one_without_account_is_not()
    {
        await AddAccountAsync("Mina");

        Assert.Equal(ExitCode.Success, await RunAsync("add", "mINA"));
        Assert.Equal(ExitCode.Failed, await RunAsync("add", "jun"));

        Assert.StartsWith("Mina is banned without end.", _output.ToString(), StringComparison.Ordinal);
        Assert.Equal($"There is no account 'jun' in {DatabasePath}.\n", _error.ToString());
    }

    [Theory]
    [InlineData("bans needs a command: one of add, remove, list.")]
    [InlineData("'lift' is not a command of bans. Use one of add, remove, list.", "lift", "kim")]
    [InlineData("bans add needs SUBJECT: ", "add")]
    [InlineData("bans remove takes SUBJECT alone (in quotes if it has spaces).", "remove", "kim", "lee")]
    [InlineData("bans list takes no argument.", "list", "kim")]
    [InlineData("There is no option --for of bans remove.", "remove", "kim", "--for=1d")]
    [InlineData("--for needs a value", "add", "kim", "--for")]
    [InlineData("--for is '7'", "add", "kim", "--for", "7")]
    [InlineData("--for is '0d'", "add", "kim", "--for=0d")]
    [InlineData("--for is '-1d'", "add", "kim", "--for=-1d")]
    [InlineData("--for is '36501w'", "add", "kim", "--for=36501w")]
    [InlineData("--for is 'd'", "add", "kim", "--for=d")]
    [InlineData("--reason has at most 200 characters", "add", "kim", "--reason=two\nlines")]
    [InlineData("'203.0.113.0/7' is not a network that can be banned; allowed is /8 to /32.", "add", "203.0.113.0/7")]
    [InlineData("'203.0.113.0/33' is not a network that can be banned", "add", "203.0.113.0/33")]
    [InlineData("'2001:db8::/15' is not a network that can be banned; allowed is /16 to /128.", "add", "2001:db8::/15")]
    [InlineData("'2001:db8::/x' is not a network that can be banned", "add", "2001:db8::/x")]
    [InlineData("'fe80::1%eth0' names an interface, but a ban holds on each of them.", "add", "fe80::1%eth0")]
    [InlineData("'fe80::%2/64' names an interface", "add", "fe80::%2/64")]
    [InlineData("'::ffff:203.0.113.7' is an IPv4 address in its IPv6 form. Write it as 203.0.113.7.", "add", "::ffff:203.0.113.7")]
    [InlineData("'203.0.113.010' is not an address in its usual form; did you mean 203.0.113.8?", "add", "203.0.113.010")]
    [InlineData("'0xcb.0.113.7' is not an address in its usual form; did you mean 203.0.113.7?", "remove", "0xcb.0.113.7")]
    [InlineData("'203.0.113.010/24' is not an address in its usual form", "add", "203.0.113.010/24")]
    [InlineData("'[2001:db8::1]' is not an address in its usual form; did you mean 2001:db8::1?", "add", "[2001:db8::1]")]
    [InlineData("'[2001:db8::1]:80' is not an address in its usual form", "add", "[2001:db8::1]:80")]
    [InlineData("'203.0.113.0/024' is not a network that can be banned", "add", "203.0.113.0/024")]
    [InlineData("'system' is neither the name of a player nor an address", "add", "system")]
    [InlineData("There is no option --until", "add", "kim", "--until=1d")]
    public async Task A_wrong_command_line_is_said_in_one_line_and_looks_at_nothing(string expected, params string[] args)
    {
        Assert.Equal(ExitCode.BadArguments, await Command().RunAsync(args));

        Assert.StartsWith(expected, Assert.Single(_error.ToString().TrimEnd('\n').Split('\n')), StringComparison.Ordinal);
        Assert.False(File.Exists(DatabasePath));
    }

    [Theory]
    [InlineData("203.0.113.7", BanKind.Network, "203.0.113.7/32")]
    [InlineData("2001:db8::1", BanKind.Network, "2001:db8::/64")]
    [InlineData("2001:db8::1/48", BanKind.Network, "2001:db8::/48")]
    [InlineData("1", BanKind.Account, "1")]
    [InlineData("1.2", BanKind.Account, "1.2")]
    [InlineData("kim/24", BanKind.Account, "kim/24")]
    [InlineData("a.b.c.d", BanKind.Account, "a.b.c.d")]
    public void What_reads_as_an_address_is_one_and_all_else_a_name(string text, BanKind kind, string expected)
    {
        BanSubject subject = BanText.Parse(text);

        Assert.Equal((kind, expected), (subject.Kind, subject.Text));
    }

    [Theory]
    [InlineData("30s", 30)]
    [InlineData("45m", 2700)]
    [InlineData("12h", 43_200)]
    [InlineData("7d", 604_800)]
    [InlineData("2w", 1_209_600)]
    public void A_duration_is_a_number_and_a_unit(string text, int seconds) =>
        Assert.Equal(TimeSpan.FromSeconds(seconds), BansCommand.ParseDuration(text));

    [Theory]
    [InlineData("--help")]
    [InlineData("add", "-h")]
    public async Task Help_says_what_there_is_and_the_exit_codes(params string[] args)
    {
        Assert.Equal(ExitCode.Success, await Command().RunAsync(args));

        Assert.Contains("bans", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("Exit codes: 0 done", _output.ToString(), StringComparison.Ordinal);
    }

    private BansCommand Command() => new(_output, _error, _time);

    private Task<int> RunAsync(params string[] words) => Command().RunAsync([.. words, $"--Storage:Path={DatabasePath}"]);

    private async Task AddAccountAsync(string name)
    {
        await using var store = new SqliteChatStore(new SqliteStoreOptions { Path = DatabasePath });
        await store.InitializeAsync();
        await store.CreateAccountAsync(name, passwordHash: null, _time.GetUtcNow());
    }
}
