using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Storage;
using PlayChat.Storage.ChatLog;
using PlayChat.Storage.Sqlite;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>A server that cannot start says why in one line, and how it ended in its exit code.</summary>
public sealed class StartFailureTests
{
    [Fact]
    public async Task The_command_line_is_wrong()
    {
        using var folder = new TemporaryDirectory();

        await AssertFailsAsync(
            "Rooms:MaxRooms is '0'; allowed is 1 to 1000000", folder, exitCode: 2, ["--port", "0", "--Rooms:MaxRooms=0"]);
    }

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData("no-such.pfx", "--port", "0", "--PlayChat:Endpoints:0:Tls:CertificatePath=no-such.pfx")]
    [InlineData("256.0.0.1", "--host", "256.0.0.1")]
    public async Task This_machine_lacks_what_an_option_names(string expected, params string[] arguments)
    {
        using var folder = new TemporaryDirectory();

        await AssertFailsAsync(expected, folder, arguments);
    }

    [Fact]
    public async Task The_port_is_in_use()
    {
        using var folder = new TemporaryDirectory();
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        string port = ((IPEndPoint)taken.LocalEndpoint).Port.ToString(System.Globalization.CultureInfo.InvariantCulture);

        await AssertFailsAsync($"127.0.0.1:{port}", folder, "--port", port);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task The_database_cannot_be_written()
    {
        using var folder = new TemporaryDirectory();
        await File.WriteAllTextAsync(folder.Combine("file"), "a file is no folder");

        await AssertFailsAsync(
            Path.Combine("file", "playchat.db"), folder, "--port", "0", $"--Storage:Path={Path.Combine("file", "playchat.db")}");
    }

    [Fact]
    public async Task The_database_is_something_else()
    {
        using var folder = new TemporaryDirectory();
        await File.WriteAllTextAsync(folder.Combine("notes.txt"), string.Concat(Enumerable.Repeat("This is no database. ", 500)));

        await AssertFailsAsync("notes.txt", folder, "--port", "0", "--Storage:Path=notes.txt");
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task The_database_is_on_a_disk_that_is_read_only()
    {
        SmallDisk? disk = await SmallDisk.TryMountAsync(megabytes: 16);
        Assert.SkipWhen(disk is null, SmallDisk.SkipReason);
        await using SmallDisk mounted = disk;
        string path = await MakeDatabaseAsync(mounted.Path, messages: 1);
        await mounted.MakeReadOnlyAsync();
        using var folder = new TemporaryDirectory();

        await AssertFailsAsync($"Creating or writing the database '{path}' failed", folder, "--port", "0", $"--Storage:Path={path}");
    }

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_database_is_damaged_halfway(bool isCut)
    {
        using var folder = new TemporaryDirectory();
        string path = await MakeDatabaseAsync(folder.Path, messages: 2000);
        await using (FileStream file = File.OpenWrite(path))
        {
            long half = file.Length / 2;
            if (isCut)
            {
                file.SetLength(half);
            }
            else
            {
                file.Seek(half, SeekOrigin.Begin);
                await file.WriteAsync(Enumerable.Repeat((byte)0xA5, 8192).ToArray());
            }
        }

        await AssertFailsAsync($"'{path}' is damaged: restore it from a backup", folder, "--port", "0", $"--Storage:Path={path}");
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task The_chat_log_cannot_be_written()
    {
        using var folder = new TemporaryDirectory();
        await File.WriteAllTextAsync(folder.Combine("file"), "a file is no folder");

        await AssertFailsAsync("ChatLog:Directory is 'file/chat'", folder, "--port", "0", "--ChatLog:Directory=file/chat");
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task The_spill_file_is_in_use_by_another_server()
    {
        using var folder = new TemporaryDirectory();
        using ChatLogSpill other = ChatLogSpill.Open(folder.Combine("spill.db"), 1024 * 1024, NullLogger.Instance);

        await AssertFailsAsync("Another server has the chat log's spill file '", folder, "--port", "0", "--ChatLog:SpillFile=spill.db");
    }

    /// <summary>Makes the database of a server in which something was said.</summary>
    private static async Task<string> MakeDatabaseAsync(string folder, int messages)
    {
        string path = Path.Combine(folder, "chat.db");
        await using SqliteChatStore store = await Database.OpenAsync(path);
        await store.AppendChatAsync(Enumerable.Range(1, messages)
            .Select(static i => new ChatRecord(1, i, 1, "mina", "What was said.", DateTimeOffset.UnixEpoch, "lobby")).ToArray());
        return path;
    }

    private static Task AssertFailsAsync(string expected, TemporaryDirectory folder, params string[] arguments) =>
        AssertFailsAsync(expected, folder, exitCode: 1, arguments);

    private static async Task AssertFailsAsync(string expected, TemporaryDirectory folder, int exitCode, string[] arguments)
    {
        await using var program = ProgramProcess.Start(ProgramFile.Server, folder.Path, arguments);

        int actual = await program.WaitForExitAsync();

        Assert.True(actual == exitCode, program.Describe());
        string error = Assert.Single(program.ErrorLines);
        Assert.Contains(expected, error, StringComparison.Ordinal);
        Assert.DoesNotContain("Exception", error, StringComparison.Ordinal);
        Assert.DoesNotContain(program.OutputLines, static line =>
            line.StartsWith("   at ", StringComparison.Ordinal) || line.StartsWith("Listening", StringComparison.Ordinal));
    }
}
