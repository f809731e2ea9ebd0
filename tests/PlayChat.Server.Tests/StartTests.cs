using System.Net;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Configuration;
using PlayChat.Chat.Configuration;
using PlayChat.Chat.Hosting;
using PlayChat.Core.Transport;
using PlayChat.Server.Tests.Chat;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests;

public sealed class StartTests
{
    [Fact]
    public async Task A_port_that_is_taken_is_said_in_one_line()
    {
        await using TestServer first = await TestServer.StartOnSocketsAsync();

        ListenFailedException problem = await Assert.ThrowsAsync<ListenFailedException>(
            () => TestServer.StartOnSocketsAsync(
                "--port", first.EndPoint.Port.ToString(System.Globalization.CultureInfo.InvariantCulture)));

        Assert.Contains(first.EndPoint.ToString(), problem.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', problem.Message);
    }

    [Fact]
    public async Task A_second_server_in_the_folder_of_the_first_is_told_of_that_server_and_one_with_its_spill_file_of_the_file()
    {
        using var directory = new TemporaryDirectory();
        await using TestServer first = await TestServer.StartInAsync(directory.Path, null);

        StorageException folder = await Assert.ThrowsAsync<StorageException>(() => TestServer.StartInAsync(directory.Path, null));
        StorageException file = await Assert.ThrowsAsync<StorageException>(
            () => TestServer.StartInAsync(directory.Path, null, $"--Storage:Path={directory.Combine("other.db")}"));

        Assert.StartsWith(
            $"The database '{directory.Combine("playchat.db")}' belongs to another server (process {Environment.ProcessId} on ",
            folder.Message,
            StringComparison.Ordinal);
        Assert.StartsWith(
            $"Another server has the chat log's spill file '{directory.Combine("spill.db")}' open: ",
            file.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Folders_that_cannot_be_written_are_said_in_one_line()
    {
        using var directory = new TemporaryDirectory();
        string file = directory.Combine("file");
        await File.WriteAllTextAsync(file, "");

        StorageException database = await Assert.ThrowsAsync<StorageException>(
            () => TestServer.StartAsync($"--Storage:Path={Path.Combine(file, "x.db")}"));
        StartException chatLog = await Assert.ThrowsAsync<StartException>(() => TestServer.StartAsync($"--ChatLog:Directory={file}"));
        StartException kpi = await Assert.ThrowsAsync<StartException>(
            () => TestServer.StartAsync($"--Kpi:JsonFile={Path.Combine(file, "kpi.json")}"));

        Assert.Contains("Creating or writing the database ", database.Message, StringComparison.Ordinal);
        Assert.StartsWith($"ChatLog:Directory is '{file}'; ", chatLog.Message, StringComparison.Ordinal);
        Assert.StartsWith("Kpi:JsonFile is '", kpi.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("MinimumLevel:Default=Chatty")]
    [InlineData("WriteTo:0:Args:bufferSize=-1")]
    [InlineData("WriteTo:0:Args:configure:1:Args:rollingInterval=Dayly")]
    public async Task A_Serilog_section_that_cannot_be_is_said_in_one_line(string value)
    {
        StartException problem = await Assert.ThrowsAsync<StartException>(() => TestServer.StartAsync($"--Serilog:{value}"));

        Assert.StartsWith("The section Serilog of the configuration is invalid: ", problem.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', problem.Message);
    }

    [Fact]
    public async Task A_log_file_that_cannot_be_written_is_said_in_one_line()
    {
        const string Key = "Serilog:WriteTo:0:Args:configure:1:Args:path";
        using var directory = new TemporaryDirectory();
        string file = directory.Combine("file");
        await File.WriteAllTextAsync(file, "");
        string log = Path.Combine(file, "playchat-.log");

        StartException problem = await Assert.ThrowsAsync<StartException>(() => TestServer.StartAsync($"--{Key}={log}"));
        StartException folder = await Assert.ThrowsAsync<StartException>(() => TestServer.StartAsync(
            "--Serilog:WriteTo:0:Name=File", $"--Serilog:WriteTo:0:Args:path={directory.Combine()}"));
        await using TestServer server = await TestServer.StartAsync($"--{Key}={directory.Combine("logs", "playchat-.log")}");

        Assert.StartsWith($"{Key} is '{log}'; writing this log file failed: ", problem.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', problem.Message);
        Assert.EndsWith("It is a folder; name a file.", folder.Message, StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFiles(directory.Combine("logs")));
    }

    [Theory]
    [InlineData("127.0.0.1", "only this machine can reach it; --host 0.0.0.0 opens it")]
    [InlineData("0.0.0.0", "other machines can reach it")]
    public void The_banner_says_who_can_reach_the_server_where_its_files_are_and_what_to_try(string host, string reach)
    {
        var configuration = new ConfigurationManager();
        ServerSettings settings = ServerConfiguration.Load(
            configuration, CommandLine.Parse([]), Path.Combine(
                AppContext.BaseDirectory, "appsettings.json"), new System.Collections.Hashtable());

        string banner = StartBanner.Create(
            settings, configuration, [new IPEndPoint(IPAddress.Parse(host), 7777)], "/data/playchat.db", isPasswordless: false);

        Assert.Contains("chat mode, socket transport", banner, StringComparison.Ordinal);
        Assert.Contains($"Listening on {host}:7777 ({reach}).", banner, StringComparison.Ordinal);
        Assert.Contains("/data/playchat.db", banner, StringComparison.Ordinal);
        Assert.Contains(Path.GetFullPath("logs/chat"), banner, StringComparison.Ordinal);
        Assert.Matches(Regex.Escape(Path.GetFullPath("logs/playchat-")) + @"\d{8}\.log", banner); // the day
        Assert.Contains("Try in another terminal: PlayChat.Client", banner, StringComparison.Ordinal); // there are no sources here
        Assert.DoesNotContain("dotnet run", banner, StringComparison.Ordinal);
        Assert.DoesNotContain("password", banner, StringComparison.Ordinal);
    }

    [Fact]
    public void The_version_names_the_commit_that_the_program_was_built_from()
    {
        Assert.StartsWith(ServerVersion.Number, ServerVersion.Build, StringComparison.Ordinal);
        Assert.SkipUnless(Path.Exists(Repository.PathOf(".git")), "The sources are no git repository.");
        Assert.Matches(@"^\d+\.\d+\.\d+\+[0-9a-f]{40}$", ServerVersion.Build);
    }

    [Fact]
    public void The_banner_says_that_names_need_no_password()
    {
        var configuration = new ConfigurationManager();
        ServerSettings settings = ServerConfiguration.Load(
            configuration, CommandLine.Parse([]), "no-such.json", new System.Collections.Hashtable());

        string banner = StartBanner.Create(settings, configuration, [new IPEndPoint(IPAddress.Loopback, 7777)], null, isPasswordless: true);

        Assert.Contains("Players log in by name alone: ", banner, StringComparison.Ordinal);
        Assert.Contains("Accounts:AllowPasswordless=false", banner, StringComparison.Ordinal);
    }
}
