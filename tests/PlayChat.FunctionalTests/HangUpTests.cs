using PlayChat.Core;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>SIGHUP reloads the configuration, and stops a server whose terminal has closed.</summary>
public sealed class HangUpTests : IDisposable
{
    private const string LogToConsole = "--Serilog:WriteTo:0:Name=Console";

    private readonly TemporaryDirectory _folder = new();

    private string SettingsFile => _folder.Combine("settings.json");

    public void Dispose() => _folder.Dispose();

    [Fact]
    [Trait("Tier", "Full")]
    public async Task SIGHUP_under_load_changes_limits_and_closes_no_connection()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        await File.WriteAllTextAsync(SettingsFile, """{ "Rooms": { "MaxRooms": 3 } }""");
        await using ServerProcess server = await ServerProcess.StartAsync("--config", SettingsFile, LogToConsole);
        await using ChatLoad load = await ChatLoad.StartAsync(server); // has created three rooms
        await using ChatClient client = await Players.LoginAsync(server, "ada");
        ChatErrorException full = await Assert.ThrowsAsync<ChatErrorException>(() => client.CreateRoomAsync("fourth"));
        Assert.Equal(ErrorCode.ServerFull, full.Code);

        await File.WriteAllTextAsync(SettingsFile, """{ "Rooms": { "MaxRooms": 4, "HistoryBytes": 50 } }""");
        server.Program.HangUp();
        await WaitForLogAsync(server, "The configuration was read again: Rooms:MaxRooms 3 → 4.");
        await WaitForLogAsync(server, "Restart the server to apply the new values of Rooms:HistoryBytes.");
        await client.CreateRoomAsync("fourth");

        await server.StopAsync();
        Assert.All(await load.WaitForEndAsync(), static end => Assert.Equal(CloseReason.ServerShutdown, end.Reason));
        await load.AssertStoredAsync(server);
    }

    [Fact]
    public async Task SIGHUP_with_an_invalid_configuration_changes_nothing_and_says_why()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        await File.WriteAllTextAsync(SettingsFile, """{ "Rooms": { "MaxRooms": 1 } }""");
        await using ServerProcess server = await ServerProcess.StartAsync("--config", SettingsFile, LogToConsole);
        await using ChatClient client = await Players.LoginAsync(server, "ada");
        await client.CreateRoomAsync("first");

        await File.WriteAllTextAsync(SettingsFile, """{ "Rooms": { "MaxRooms": 2, "HistoryOnJoin": 51 } }""");
        server.Program.HangUp();
        await WaitForLogAsync(
            server,
            "The new configuration is invalid, so the server keeps the one it has. Rooms:HistoryOnJoin is '51'; allowed is 0 to 50.");
        ChatErrorException full = await Assert.ThrowsAsync<ChatErrorException>(() => client.CreateRoomAsync("second"));
        Assert.Equal(ErrorCode.ServerFull, full.Code);

        await File.WriteAllTextAsync(
            SettingsFile, """{ "Rooms": { "MaxRooms": 2 }, "Serilog": { "MinimumLevel": { "Default": "Debug" } } }""");
        server.Program.HangUp();
        await WaitForLogAsync(server, "Rooms:MaxRooms 1 → 2");
        await client.CreateRoomAsync("second");

        // The new level is in use as well: this event is one of Debug.
        await using ChatClient other = await Players.LoginAsync(server, "bob");
        await server.Program.WaitForLineAsync(
            static line => line.Contains("opened.", StringComparison.Ordinal)).WaitAsync(TestTimeouts.Hang);
        Assert.Equal(0, await server.StopAsync());
    }

    [Fact]
    public async Task SIGHUP_reads_the_certificate_again_and_closes_no_connection()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        using var first = new TestCertificate();
        using var renewed = new TestCertificate();
        await using ServerProcess server = await ServerProcess.StartAsync(
            [.. first.WritePem(), "--PlayChat:Endpoints:0:Tls:CertificateCheckInterval=01:00:00", LogToConsole]);
        await using ChatClient open = await ConnectAsync(server, first);
        await open.LoginAsync("ada", "password");

        renewed.ReplacePem(first);
        server.Program.HangUp();
        await WaitForLogAsync(server, "were read again");
        await using ChatClient late = await ConnectAsync(server, renewed);
        await late.LoginAsync("bob", "password");

        await open.CreateRoomAsync("still connected");
    }

    [Fact]
    public async Task A_server_whose_terminal_closes_under_load_tells_every_client_and_stores_every_acknowledged_message()
    {
        Assert.SkipUnless(TerminalServer.IsSupported, TerminalServer.SkipReason);
        await using TerminalServer terminal = await TerminalServer.StartAsync();
        await using ChatLoad load = await ChatLoad.StartAsync(terminal.Server);

        await terminal.CloseTerminalAsync();

        Assert.All(await load.WaitForEndAsync(), static end => Assert.Equal(CloseReason.ServerShutdown, end.Reason));
        await terminal.Ended;
        await load.AssertStoredAsync(terminal.Server);
        Assert.Equal(0, terminal.Server.ReadFigures().GetProperty("extras").GetProperty("chat_not_stored").GetDouble());
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task SIGHUP_to_a_server_whose_terminal_is_open_reloads()
    {
        Assert.SkipUnless(TerminalServer.IsSupported, TerminalServer.SkipReason);
        await using TerminalServer terminal = await TerminalServer.StartAsync(LogToConsole);

        terminal.HangUp();
        await WaitForLogAsync(terminal.Server, "The configuration was read again");
        await using ChatClient client = await Players.LoginAsync(terminal.Server, "ada");
    }

    private static Task<ChatClient> ConnectAsync(ServerProcess server, TestCertificate trusted) => ChatClient.ConnectAsync(
        "localhost",
        server.Port,
        new ChatClientOptions
        {
            UseTls = true,
            ConnectTimeout = TestTimeouts.Hang,
            RequestTimeout = TestTimeouts.Hang,
            TlsCertificateValidation = trusted.IsMine,
        });

    private static Task<string> WaitForLogAsync(ServerProcess server, string text) =>
        server.Program.WaitForLineAsync(line => line.Contains(text, StringComparison.Ordinal));
}
