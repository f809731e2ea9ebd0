using System.Text;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The least that a server must do; also run against a published one.</summary>
[Trait("Category", "Smoke")]
public sealed class SmokeTests(SharedServer shared)
{
    [Theory]
    [InlineData("--version", "0.1.0")]
    [InlineData("--help", "PlayChat:Sessions:LoginTimeout")]
    public async Task The_server_says_what_it_is_and_what_it_takes(string option, string expected)
    {
        using var folder = new TemporaryDirectory();
        await using var program = ProgramProcess.Start(ProgramFile.Server, folder.Path, option);

        int exitCode = await program.WaitForExitAsync();

        Assert.True(exitCode == 0, program.Describe());
        Assert.Contains(program.OutputLines, line => line.Contains(expected, StringComparison.Ordinal));
        Assert.Empty(program.ErrorLines);
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder.Path));
    }

    [Fact]
    public void The_server_runs_on_the_transport_that_is_under_test()
    {
        bool isNative = Environment.GetEnvironmentVariable(ProgramFile.TransportVariable) == "linux";

        Assert.Contains(shared.Process.Program.OutputLines, line =>
            line.Contains(isNative ? "native Linux transport" : "socket transport", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_log_file_that_the_server_prints_exists()
    {
        string line = await shared.Process.Program.WaitForLineAsync(static line => line.StartsWith("Log: ", StringComparison.Ordinal));

        string path = line["Log: ".Length..].Trim();
        await Eventually.TrueAsync(() => File.Exists(path)); // a thread of the log writes it
    }

    [Fact]
    public async Task The_server_starts_serves_and_stops()
    {
        await using ServerProcess server = await ServerProcess.StartAsync();
        await using ChatClient client = await Players.ConnectAsync(server);
        var inbox = new Inbox(client);

        SLoginRes login = await client.LoginAsync("smoke");
        ReadOnlyMemory<byte> echoed = await client.EchoAsync(Encoding.UTF8.GetBytes("메아리"));
        SCreateRoomRes room = await client.CreateRoomAsync("smoke");
        SRoomChatRes said = await client.ChatAsync(room.RoomId, "안녕 👋");
        SRoomChatNtf heard = await inbox.NextChatAsync();

        Assert.Equal(1, login.PlayerId);
        Assert.Equal("메아리", Encoding.UTF8.GetString(echoed.Span));
        Assert.Equal(1, said.Sequence);
        Assert.Equal("안녕 👋", heard.Text);
        if (PosixSignals.AreSupported)
        {
            int exitCode = await server.StopAsync();
            Assert.True(exitCode == 0, server.Program.Describe());
            Assert.Empty(server.Program.ErrorLines);
            ChatDisconnectedEventArgs end = await client.Closed.WaitAsync(TestTimeouts.Hang);
            Assert.Equal(Core.CloseReason.ServerShutdown, end.Reason);
        }
    }
}
