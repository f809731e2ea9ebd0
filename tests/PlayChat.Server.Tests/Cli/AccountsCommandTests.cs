using PlayChat.Chat.Cli;
using PlayChat.Server.Tests.Chat;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Cli;

public sealed class AccountsCommandTests : IDisposable
{
    private readonly TemporaryDirectory _directory = new();
    private readonly StringWriter _output = new() { NewLine = "\n" };
    private readonly StringWriter _error = new() { NewLine = "\n" };
    private readonly TypedPassword _input = new();

    private string DatabasePath => _directory.Combine("playchat.db");

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task An_account_that_was_added_logs_in_while_the_server_runs_and_needs_its_password()
    {
        await using TestServer server = await TestServer.StartInAsync(_directory.Path, null, "--Accounts:AutoRegister=false");
        await using TestClient client = await server.ConnectAsync();
        Assert.Equal(Protocol.ErrorCode.LoginRefused, (await client.FailLoginAsync("Kim", "a secret")).Code);
        _input.Lines = ["a secret", "a secret"];

        Assert.Equal(ExitCode.Success, await RunAsync("add", "Kim"));

        Assert.Equal($"Account Kim (1) was added to {DatabasePath}.\n", _output.ToString());
        Assert.Equal("Kim", (await client.LoginAsync("kim", "a secret")).Name);
    }

    [Fact]
    public async Task A_new_password_replaces_the_old_one()
    {
        await using TestServer server = await TestServer.StartInAsync(_directory.Path, null);
        await using (TestClient owner = await server.ConnectAsync())
        {
            await owner.LoginAsync("kim", "old");
        }

        _input.Lines = ["the new one", "the new one"];
        Assert.Equal(ExitCode.Success, await RunAsync("passwd", "KIM"));

        await using TestClient client = await server.ConnectAsync();
        Assert.Equal(Protocol.ErrorCode.LoginRefused, (await client.FailLoginAsync("kim", "old")).Code);
        await client.LoginAsync("kim", "the new one");
    }

    [Fact]
    public async Task An_account_is_removed_when_the_question_is_answered_with_yes()
    {
        _input.Lines = ["a secret", "a secret"];
        await RunAsync("add", "Kim");
        _output.GetStringBuilder().Clear();

        _input.Answer = false;
        Assert.Equal(ExitCode.Failed, await RunAsync("remove", "kim"));
        Assert.Equal("Nothing was changed. Answer y, or give --yes.\n", _error.ToString());
        _input.Answer = true;
        Assert.Equal(ExitCode.Success, await RunAsync("remove", "kim"));

        Assert.Equal($"Remove account Kim (1) from {DatabasePath} for good?", _input.Question);
        Assert.Equal("Account Kim (1) was removed. Its messages stay, with its name.\n", _output.ToString());
        Assert.Equal(ExitCode.Failed, await RunAsync("disable", "kim"));
    }

    [Fact]
    public async Task With_yes_there_is_no_question_and_the_player_of_a_running_server_does_not_come_back()
    {
        await using TestServer server = await TestServer.StartInAsync(_directory.Path, null, "--Accounts:AutoRegister=true");
        await using TestClient kim = await server.ConnectAsync();
        Google.Protobuf.ByteString token = (await kim.LoginAsync("kim", "a secret")).ResumeToken;
        long roomId = (await kim.CreateAsync("lobby")).RoomId;
        await kim.SayAsync(roomId, "I was here");

        Assert.Equal(ExitCode.Success, await RunAsync("remove", "kim", "--yes"));

        Assert.Null(_input.Question);
        await kim.SayAsync(roomId, "and still am");
        await Resuming.BreakAsync(server, kim);
        await using TestClient back = await server.ConnectAsync();
        Assert.Equal(Protocol.ErrorCode.ResumeRefused, (await Resuming.FailAsync(back, token)).Code);
        await server.StopAsync();
        Assert.Equal("kim", (await server.Store.ReadChatAfterAsync(roomId, 0, 1))[0].PlayerName);
    }

    [Fact]
    public async Task An_account_is_disabled_and_enabled_and_the_list_says_so()
    {
        _input.Lines = ["a secret", "a secret", "a secret", "a secret"];
        await RunAsync("add", "kim");
        await RunAsync("add", "이 영희");
        _output.GetStringBuilder().Clear();

        Assert.Equal(ExitCode.Success, await RunAsync("disable", "kim"));
        Assert.Equal(ExitCode.Success, await RunAsync("disable", "kim"));
        Assert.Equal(ExitCode.Success, await RunAsync("enable", "이 영희"));
        Assert.Equal(ExitCode.Success, await RunAsync("list"));

        string[] lines = _output.ToString().TrimEnd('\n').Split('\n');
        Assert.Equal(
            ["Account kim (1) is now disabled.", "Account kim (1) was disabled already.", "Account 이 영희 (2) was enabled already."],
            lines[..3]);
        Assert.Matches("^ +id  state .*  name$", lines[3]);
        Assert.Matches(@"^ +1  disabled     20\d\d-\d\d-\d\d \d\d:\d\d  never             kim$", lines[4]);
        Assert.Matches(@"^ +2  enabled      20\d\d-\d\d-\d\d \d\d:\d\d  never             이 영희$", lines[5]);
        Assert.Equal($"These accounts are in {DatabasePath}.", lines[6]);
        await RunAsync("enable", "kim");
        Assert.EndsWith("Account kim (1) is now enabled.\n", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_list_of_nothing_says_where_it_looked()
    {
        await RunAsync("add", "kim"); // without a password: the database is made all the same

        Assert.Equal(ExitCode.Success, await RunAsync("list"));

        Assert.Equal($"No accounts in {DatabasePath}.\n", _output.ToString());
    }

    [Theory]
    [InlineData("list")]
    [InlineData("passwd", "kim")]
    [InlineData("disable", "kim")]
    [InlineData("enable", "kim")]
    [InlineData("remove", "kim", "--yes")]
    public async Task Without_a_database_no_command_but_add_makes_one_and_the_error_names_the_file(params string[] words)
    {
        Assert.Equal(ExitCode.Failed, await RunAsync(words));

        Assert.Equal(
            $"There is no database '{DatabasePath}'. Run the command in the server's folder, or name the database by --Storage:Path=FILE, "
                + "or the server's configuration by --config FILE.\n",
            _error.ToString());
        Assert.Empty(Directory.EnumerateFileSystemEntries(_directory.Path));
    }

    [Theory]
    [InlineData("There is no account 'lee' in ", "passwd", "lee")]
    [InlineData("There is no account 'lee' in ", "disable", "lee")]
    [InlineData("There is no account 'lee' in ", "enable", "lee")]
    [InlineData("There is no account 'lee' in ", "remove", "lee")]
    [InlineData("There is an account kim (1) in ", "add", "KIM")]
    [InlineData("'system' is not a valid name. The name is reserved: the server speaks as SYSTEM. Choose another.", "add", "system")]
    public async Task What_cannot_be_done_is_said_in_one_line_and_nobody_is_asked_for_a_password(string expected, string verb, string name)
    {
        _input.Lines = ["a secret", "a secret"];
        await RunAsync("add", "kim");

        Assert.Equal(ExitCode.Failed, await RunAsync(verb, name));

        Assert.StartsWith(expected, Assert.Single(_error.ToString().TrimEnd('\n').Split('\n')), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("There is no password", "")]
    [InlineData("There is no password")]
    [InlineData("The two passwords differ", "a secret", "A secret")]
    [InlineData("The password is too long", "long")]
    [InlineData("The password is too short: it needs at least 8 characters (Accounts:MinPasswordLength).", "7 chars")]
    [InlineData("The password is too short", "일곱글자👍👍👍")]
    public async Task A_password_that_cannot_be_changes_nothing(string expected, params string[] lines)
    {
        _input.Lines = [.. lines.Select(static line => line == "long" ? new string('x', 257) : line)];

        Assert.Equal(ExitCode.Failed, await RunAsync("add", "kim"));

        Assert.StartsWith(expected, _error.ToString(), StringComparison.Ordinal);
        await RunAsync("list");
        Assert.StartsWith("No accounts", _output.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("accounts needs a command: one of add, passwd, disable, enable, remove, list. accounts --help says more.")]
    [InlineData("'delete' is not a command of accounts. Use one of add, passwd, disable, enable, remove, list.", "delete", "kim")]
    [InlineData("accounts remove needs NAME: ", "remove", "--yes")]
    [InlineData("There is no option --yes of accounts disable.", "disable", "kim", "--yes")]
    [InlineData("accounts add needs NAME: ", "add")]
    [InlineData("accounts add takes NAME alone (in quotes if it has spaces).", "add", "kim", "a secret")]
    [InlineData("accounts list takes no argument.", "list", "kim")]
    [InlineData("There is no option --password of accounts add.", "add", "kim", "--password=secret")]
    [InlineData("There is no option --Storage:Pth; did you mean --Storage:Path?", "list", "--Storage:Pth=x")]
    [InlineData("--Storage:Path needs a value", "list", "--Storage:Path")]
    public async Task A_wrong_command_line_is_said_in_one_line_and_looks_at_nothing(string expected, params string[] args)
    {
        Assert.Equal(ExitCode.BadArguments, await Command().RunAsync(args));

        Assert.StartsWith(expected, Assert.Single(_error.ToString().TrimEnd('\n').Split('\n')), StringComparison.Ordinal);
        Assert.False(File.Exists(DatabasePath));
    }

    [Theory]
    [InlineData("--help")]
    [InlineData("add", "-h")]
    public async Task Help_says_what_there_is_and_the_exit_codes(params string[] args)
    {
        Assert.Equal(ExitCode.Success, await Command().RunAsync(args));

        Assert.Contains("accounts", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("Exit codes: 0 done", _output.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("accounts re", "remove")]
    [InlineData("accounts remove kim --", "--yes")]
    public void A_shell_is_told_what_completes_a_command_line(string line, string word)
    {
        string[] args = [$"[suggest:{line.Length}]", line];
        Assert.True(CommandLines.IsSuggest(args[0]));

        Assert.Equal(ExitCode.Success, CommandLines.Suggest(args, _output, Command().Command));

        Assert.Contains(word, _output.ToString().Split('\n').Select(static one => one.Trim()), StringComparer.Ordinal);
    }

    [Fact]
    public async Task A_name_may_begin_with_an_at_sign()
    {
        _input.Lines = ["a secret", "a secret"];

        Assert.Equal(ExitCode.Success, await RunAsync("add", "@kim"));

        Assert.StartsWith("Account @kim (1) was added", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task New_passwords_are_hashed_as_the_server_is_set()
    {
        _input.Lines = ["a secret", "a secret"];
        await RunAsync("add", "kim");
        await using var store = new Storage.Sqlite.SqliteChatStore(new Storage.Sqlite.SqliteStoreOptions { Path = DatabasePath });
        await store.InitializeAsync();

        Account account = Assert.IsType<Account>(await store.FindAccountAsync("kim"));

        Assert.StartsWith("pbkdf2-sha256$1000$", account.PasswordHash, StringComparison.Ordinal);
    }

    private AccountsCommand Command() => new(_input, _output, _error, TimeProvider.System);

    private Task<int> RunAsync(params string[] words) =>
        Command().RunAsync([.. words, $"--Storage:Path={DatabasePath}", "--Accounts:PasswordIterations=1000"]);

    private sealed class TypedPassword : IOperatorInput
    {
        public bool Answer { get; set; }

        public string? Question { get; private set; }

        public Queue<string> Left { get; private set; } = [];

        public string[] Lines
        {
            set => Left = new Queue<string>(value);
        }

        public bool IsTyped => true;

        public string? Read(string prompt) => Left.TryDequeue(out string? line) ? line : null;

        public bool Confirm(string question)
        {
            Question = question;
            return Answer;
        }
    }
}
