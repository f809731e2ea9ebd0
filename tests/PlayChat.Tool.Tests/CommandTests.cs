using System.Diagnostics;
using System.Reflection;
using PlayChat.State;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Tool.Tests;

/// <summary>The commands: what they write, and what they say when they cannot.</summary>
public sealed class CommandTests
{
    private static string GameServer { get; } = ProgramOf("PlayChat.GameServer");

    /// <summary>A server whose clients follow no state.</summary>
    private static string Stateless { get; } = ProgramOf("PlayChat.MatchProbe");

    private static string ProgramOf(string name) => typeof(CommandTests).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(attribute => attribute.Key == name).Value!;

    /// <summary>With PLAYCHAT_UPDATE_GENERATED=1 it writes the files.</summary>
    [Fact]
    public async Task The_files_are_as_those_in_the_folder_Golden()
    {
        string golden = NodeFolder.Source("Golden");
        bool isUpdate = Environment.GetEnvironmentVariable("PLAYCHAT_UPDATE_GENERATED") is { Length: > 0 };
        string[] check = isUpdate ? [] : ["--check"];

        await ToolRun.GenerateAsync(["typescript", ToolRun.Assembly, "-o", golden, "--set", nameof(SmallPackets), .. check]);
        await ToolRun.GenerateAsync(
            ["asyncapi", ToolRun.Assembly, "-o", Path.Combine(golden, "asyncapi.json"), "--set", nameof(SmallPackets), .. check]);
    }

    [Fact]
    public async Task States_are_written_as_the_state_writes_them_at_run_time()
    {
        using var folder = new TemporaryDirectory();

        await ToolRun.GenerateAsync("typescript", ToolRun.Assembly, "-o", folder.Path, "--set", nameof(SmallPackets));

        string[] read = TypesOf(await File.ReadAllTextAsync(Path.Combine(folder.Path, "states.ts"), TestContext.Current.CancellationToken));
        Assert.Equal(TypesOf(StateTypes.WriteTypeScript(new World())), read, StringComparer.Ordinal);

        static string[] TypesOf(string text) =>
            [.. text.Split("\n\n").Skip(1).Select(static type => type.Trim()).Order(StringComparer.Ordinal)];
    }

    [Fact]
    public async Task Check_names_what_is_stale_and_writes_nothing()
    {
        using var folder = new TemporaryDirectory();
        string[] arguments = ["typescript", ToolRun.Assembly, "-o", folder.Path, "--set", nameof(SmallPackets)];
        string client = Path.Combine(folder.Path, "client.ts");
        await ToolRun.GenerateAsync(arguments);
        await ToolRun.GenerateAsync([.. arguments, "--check"]);
        await File.WriteAllTextAsync(client, "old", TestContext.Current.CancellationToken);

        (int exitCode, _, string error) = await ToolRun.RunAsync([.. arguments, "--check"]);

        Assert.Equal((1, $"playchat: {client} is not up to date. Run without --check.\n"), (exitCode, error.ReplaceLineEndings("\n")));
        Assert.Equal("old", await File.ReadAllTextAsync(client, TestContext.Current.CancellationToken));
        Assert.Equal($"Wrote {client}\n", (await ToolRun.RunAsync(arguments)).Output.ReplaceLineEndings("\n"));
    }

    [Fact]
    public async Task What_is_no_longer_generated_is_deleted_but_no_file_of_yours()
    {
        using var folder = new TemporaryDirectory();
        string states = Path.Combine(folder.Path, "states.ts");
        await File.WriteAllTextAsync(states, "mine", TestContext.Current.CancellationToken);
        await ToolRun.GenerateAsync("typescript", Stateless, "-o", folder.Path);
        Assert.Equal("mine", await File.ReadAllTextAsync(states, TestContext.Current.CancellationToken));
        await ToolRun.GenerateAsync("typescript", ToolRun.Assembly, "-o", folder.Path, "--set", nameof(SmallPackets));

        await ToolRun.GenerateAsync("typescript", Stateless, "-o", folder.Path);

        Assert.False(File.Exists(states));
    }

    [Fact]
    public async Task Watch_acts_at_once_and_after_each_write()
    {
        using var folder = new TemporaryDirectory();
        using var stop = new CancellationTokenSource();
        string file = Path.Combine(folder.Path, "Game.dll");
        await File.WriteAllTextAsync(file, "1", TestContext.Current.CancellationToken);
        using var acted = new SemaphoreSlim(0);

        Task watch = Watch.RunAsync(file, () => acted.Release(), stop.Token);
        await acted.WaitAsync(TestTimeouts.Hang, TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(file, "2", TestContext.Current.CancellationToken);

        Assert.True(await acted.WaitAsync(TestTimeouts.Hang, TestContext.Current.CancellationToken));
        await stop.CancelAsync();
        await watch.WaitAsync(TestTimeouts.Hang, TestContext.Current.CancellationToken);
    }

    [Fact]
    public async Task The_generated_client_plays_with_a_real_server()
    {
        using var folder = new NodeFolder();
        await ToolRun.GenerateAsync("typescript", GameServer, "-o", folder.PathOf("gen"));
        folder.Copy("play.ts");
        await folder.CompileAsync();
        using Process server = ChildProcess.Start(new ProcessStartInfo("dotnet", [GameServer])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        });
        string address = (await server.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken))!;

        string played = await folder.RunAsync("", "play.js", address.Replace("http", "ws", StringComparison.Ordinal) + "ws");

        Assert.Equal("played\n", played);
        server.StandardInput.Close();
        using var guard = new CancellationTokenSource(TestTimeouts.Hang);
        await server.WaitForExitAsync(guard.Token);
    }

    [Theory]
    [InlineData(nameof(SmallPackets))]
    [InlineData(nameof(BroadPackets))]
    public async Task The_document_is_one_of_AsyncAPI(string set)
    {
        string checker = NodeFolder.Source("AsyncApi");
        Assert.SkipUnless(
            Directory.Exists(Path.Combine(checker, "node_modules")),
            "Needs the official parser: npm install in tests/PlayChat.Tool.Tests/AsyncApi.");
        using var folder = new NodeFolder();
        string file = folder.PathOf("asyncapi.json");

        await ToolRun.GenerateAsync("asyncapi", ToolRun.Assembly, "-o", file, "--set", set);

        Assert.Equal("", await folder.RunAsync("", Path.Combine(checker, "check.mjs"), file));
    }

    [Theory]
    [InlineData("Broken.Holder.Value: the type Version has the converter OwnConverter", nameof(BrokenPackets))]
    [InlineData("has no set of packets Other. It has: BroadPackets, BrokenPackets, PlainPackets, SmallPackets.", "Other")]
    public async Task A_contract_without_a_form_is_an_error_that_says_where(string expected, string set)
    {
        (int exitCode, string output, string error) = await ToolRun.RunAsync("typescript", ToolRun.Assembly, "-o", "never", "--set", set);

        Assert.Equal((1, ""), (exitCode, output));
        Assert.Contains(expected, error, StringComparison.Ordinal);
        Assert.False(Directory.Exists("never"));
    }

    [Fact]
    public async Task A_file_that_cannot_be_read_is_an_error_that_says_what_to_do()
    {
        using var folder = new TemporaryDirectory();
        string copy = Path.Combine(folder.Path, "Game.dll");
        File.Copy(GameServer, copy);
        string text = Path.Combine(folder.Path, "Text.dll");
        await File.WriteAllTextAsync(text, "no assembly", TestContext.Current.CancellationToken);

        Assert.Contains("several sets of packets: BroadPackets, ", await ErrorOfAsync(ToolRun.Assembly), StringComparison.Ordinal);
        Assert.Contains("Did you mean", await ErrorOfAsync(Path.ChangeExtension(copy, null)), StringComparison.Ordinal);
        Assert.Contains("Run dotnet build", await ErrorOfAsync("missing.dll"), StringComparison.Ordinal);
        Assert.Contains("Game.dll refers to ", await ErrorOfAsync(copy), StringComparison.Ordinal);
        Assert.Contains("no .NET assembly", await ErrorOfAsync(text), StringComparison.Ordinal);
        Assert.Contains("from their .proto files", await ErrorOfAsync(typeof(StateTypes).Assembly.Location), StringComparison.Ordinal);
    }

    private static async Task<string> ErrorOfAsync(string assembly)
    {
        (int exitCode, _, string error) = await ToolRun.RunAsync("typescript", assembly, "-o", "never");
        Assert.Equal(1, exitCode);
        return error;
    }
}
