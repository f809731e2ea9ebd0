using Google.Protobuf;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Chat.Diagnostics;
using PlayChat.Chat.Handlers;
using PlayChat.Protocol;
using PlayChat.Storage.Passwords;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Chat;

/// <summary>
/// Logins that are refused without a check of the password cost their sender nothing: they neither fill the log nor go on without end.
/// </summary>
public sealed class UncheckedLoginTests
{
    private const int MaxRefused = 16;

    private readonly RecordingLogger _log = new();

    [Theory]
    [InlineData("", 0, ErrorCode.NameInvalid)]
    [InlineData("kim", 0, ErrorCode.PasswordRequired)]
    [InlineData("kim", ChatLimits.MaxPasswordBytes + 1, ErrorCode.LoginRefused)]
    public async Task Whoever_is_refused_for_nothing_is_closed_after_so_many_and_leaves_no_line_in_the_log(
        string name, int passwordChars, ErrorCode code)
    {
        await using TestServer server = await StartAsync("--Accounts:AllowPasswordless=false");
        await using TestClient stranger = await server.ConnectAsync();

        SendLogins(stranger, name, new string('x', passwordChars));

        await AssertClosedAfterAsync(stranger, code);
    }

    [Fact]
    public async Task So_is_whoever_does_not_wait_while_the_server_is_busy()
    {
        await using TestServer server = await StartAsync("--Accounts:PasswordConcurrency=1", "--Accounts:MaxPendingPasswords=1");
        using PasswordTurn turn = await server.Passwords.EnterAsync();
        await using TestClient first = await server.ConnectAsync();
        await using TestClient stranger = await server.ConnectAsync();
        Task<SLoginRes> waiting = first.LoginAsync("lee", "secret");
        await Eventually.TrueAsync(() => server.Passwords.Pending == 2);

        SendLogins(stranger, "kim", "secret");

        await AssertClosedAfterAsync(stranger, ErrorCode.ServerBusy);
        turn.Dispose();
        await waiting;
    }

    [Fact]
    public async Task Whoever_mistypes_a_name_fifteen_times_still_gets_in()
    {
        await using TestServer server = await StartAsync();
        await using TestClient client = await server.ConnectAsync();

        for (int i = 1; i < MaxRefused; i++)
        {
            Assert.Equal(ErrorCode.NameInvalid, (await client.FailLoginAsync("\t")).Code);
        }

        await client.LoginAsync("kim");
    }

    [Fact]
    public async Task Wrong_passwords_are_told_in_the_log_and_close_nobody()
    {
        await using TestServer server = await StartAsync("--Accounts:FailedLoginsPerName=1000", "--Accounts:FailedLoginsPerAddress=1000");
        await using TestClient owner = await server.ConnectAsync();
        await owner.LoginAsync("kim", "secret");
        await using TestClient client = await server.ConnectAsync();

        for (int i = 0; i <= MaxRefused; i++)
        {
            Assert.Equal(ErrorCode.LoginRefused, (await client.FailLoginAsync("kim", "wrong")).Code);
        }

        await client.LoginAsync("kim", "secret");
        Assert.Equal(
            MaxRefused + 1,
            _log.Entries.Count(static entry => entry is { Event: nameof(ServerLog.LoginRefused), Level: LogLevel.Information }));
    }

    private static void SendLogins(TestClient client, string name, string password)
    {
        for (ushort id = 1; id <= MaxRefused + 4; id++)
        {
            client.Send(ChatPackets.CLoginReq, new CLoginReq { Name = name, Password = password, ClientVersion = "test/1" }, id);
        }
    }

    private async Task AssertClosedAfterAsync(TestClient stranger, ErrorCode code)
    {
        List<IMessage> heard = await stranger.ReadToEndAsync();

        Assert.Equal(MaxRefused, heard.OfType<SErrorNtf>().Count(error => error.Code == code));
        Assert.Equal(CloseCode.LoginRequired, Assert.IsType<SCloseNtf>(heard[^1]).Reason);
        Assert.Equal(MaxRefused, _log.Count(nameof(ServerLog.LoginNotChecked)));
        Assert.All(_log.Entries, static entry => Assert.Equal(LogLevel.Debug, entry.Level));
    }

    private Task<TestServer> StartAsync(params string[] args) => TestServer.StartInAsync(
        null, services => services.AddSingleton<ILogger<LoginHandler>>(new Logger<LoginHandler>(_log)), args);
}
