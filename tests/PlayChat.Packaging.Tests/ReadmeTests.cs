using System.Globalization;
using System.Text.RegularExpressions;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Packaging.Tests;

/// <summary>README.md does what it says: these tests run each of its commands; <see cref="ReadmeProgramTests"/> its
/// program.</summary>
/// <remarks>The commands run in a temporary folder, on free ports and without building again. Otherwise they are those of the
/// document.</remarks>
public sealed partial class ReadmeTests
{
    private const int MaxLines = 120;
    private const string Server = "dotnet run --project src/PlayChat.Server";
    private const string Ada = "dotnet run --project src/PlayChat.Client -- --name ada";
    private const string Bob = "dotnet run --project src/PlayChat.Client -- --name bob";
    private const string Tests = "dotnet test"; // not run by a test, because it is what runs this one
    private const string Template = "dotnet new playchat-server"; // GettingStartedTests
    private const string Pack = "tools/pack"; // PackageFeed
    private const string Limit = "tools/limit E1";
    private const string Site = "tools/site "; // .ci/full builds, checks and serves it
    private const string Restore = "tools/foreign --restore";
    private const string Foreign =
        "tools/foreign request-reply --quick --cases 1000x30x64 --against kestrel dotnetty native"
            + " --server-cpus 1 --client-cpus 0";

    private const string MeasureVariable = "PLAYCHAT_TEST_README";

    // Not only a guard against hanging: the commands build Release programs first.
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(9);

    [Fact]
    public void The_readme_fits_on_120_lines() =>
        Assert.InRange(Repository.Read("README.md").TrimEnd('\n').Split('\n').Length, 1, MaxLines);

    [Fact]
    public void A_test_runs_every_command()
    {
        string[] commands =
        [
            .. FindCommands(Repository.Read("README.md")).Distinct(StringComparer.Ordinal)
                .Where(static command => command != Tests && !command.StartsWith(Site, StringComparison.Ordinal)),
        ];

        Assert.Equal(
            ((string[])[Server, Ada, Bob, Template, Pack, Limit, Restore, Foreign]).Order(StringComparer.Ordinal),
            commands.Order(StringComparer.Ordinal));
        Assert.Contains(Template, Repository.Read(Documents.Guide), StringComparison.Ordinal);
    }

    [Fact]
    public void Commands_are_found_in_blocks_and_in_sentences()
    {
        const string Text = """
            Run `dotnet build`, or read `docs/README.md`. Then `tools/pack`.

            ```sh
            npm test
            ```

            ```csharp
            int x = 1;
            ```
            """;

        Assert.Equal(["npm test", "dotnet build", "tools/pack"], FindCommands(Text), StringComparer.Ordinal);
    }

    [Fact]
    public async Task The_quick_start_ends_with_two_players_who_talk_and_a_page()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        Assert.SkipUnless(TmuxTerminal.IsSupported, TmuxTerminal.SkipReason);
        using var folder = new TemporaryDirectory();
        // Beside port 0 the page is off unless asked for.
        await using var server = ProgramProcess.Start(
            "/usr/bin/env", folder.Path, [.. Words(InFolder(Server)), "--", "--port", "0", "--Web:Enabled=true", "--Web:Port=0"]);
        int port = PortOf(await server.WaitForLineAsync(static line => line.StartsWith("Listening on ", StringComparison.Ordinal)));
        string page = await server.WaitForLineAsync(static line => line.StartsWith("Open http", StringComparison.Ordinal));

        await using TmuxTerminal ada = await StartClientAsync(folder, "ada", $"{InFolder(Ada)} --port {port}");
        await ada.EnterAsync("/create lobby");
        await ada.ShowsAsync("1 member");
        await using TmuxTerminal bob = await StartClientAsync(folder, "bob", $"{InFolder(Bob)} --port {port}");
        await bob.EnterAsync("/join lobby");
        await bob.ShowsAsync("2 members");
        await bob.EnterAsync("Hello, Ada!");
        await ada.ShowsAsync("bob: Hello, Ada!");
        await ada.EnterAsync("Hello, Bob!");
        await bob.ShowsAsync("ada: Hello, Bob!");

        using var browser = new HttpClient();
        Assert.Contains("<title>", await browser.GetStringAsync(page.Split(' ')[1]), StringComparison.Ordinal);
        server.Terminate();
        Assert.True(await server.WaitForExitAsync() == 0, server.Describe());
    }

    [Fact]
    [Trait("Category", "Readme")]
    [Trait("Tier", "Full")]
    public async Task The_measurements_of_the_performance_table_run()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "tools/limit and tools/foreign run on Linux.");
        Assert.SkipWhen(
            string.IsNullOrEmpty(Environment.GetEnvironmentVariable(MeasureVariable)),
            $"{MeasureVariable} is not set. The measurements build Release programs and load both processors.");

        // Small loads: they show that the commands work, not how fast the servers are. A missed bar of tools/limit is exit code 1.
        ProgramProcess limit = await RunAsync($"{Limit} --quick --servers linux");
        Assert.InRange(await limit.Exited, 0, 1);
        Assert.Contains(limit.OutputLines, static line => line.StartsWith("| E1 ", StringComparison.Ordinal));
        ProgramProcess restore = await RunAsync(Restore);
        Assert.SkipWhen(await restore.Exited != 0, "The package feed does not have the packages of other servers: " + restore.Describe());
        using var folder = new TemporaryDirectory();
        ProgramProcess foreign = await RunAsync(
            $"{Foreign.Replace("1000x", "8x", StringComparison.Ordinal)} --warmup 0 --duration 0.5 --report {folder.Path}");
        Assert.True(await foreign.Exited == 0, foreign.Describe());
    }

    /// <summary>The lines of blocks without C#, then the commands within sentences.</summary>
    private static IEnumerable<string> FindCommands(string document)
    {
        bool inBlock = false;
        bool isCode = false;
        var sentences = new List<string>();
        foreach (string line in document.ReplaceLineEndings("\n").Split('\n'))
        {
            if (line.StartsWith("```", StringComparison.Ordinal))
            {
                inBlock = !inBlock;
                isCode = line == "```csharp";
            }
            else if (!inBlock)
            {
                sentences.Add(line);
            }
            else if (!isCode && line.Length > 0)
            {
                yield return line;
            }
        }

        foreach (Match match in CommandInSentence().Matches(string.Join('\n', sentences)))
        {
            yield return match.Groups["command"].Value.Replace('\n', ' ');
        }
    }

    private static string[] Words(string command) => command.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    /// <summary>A command of the document for another folder, with the programs that the build of this test has made.</summary>
    private static string InFolder(string command) =>
        command.Replace("run --project ", $"run --no-build --project {Repository.PathOf(".")}/", StringComparison.Ordinal);

    private static int PortOf(string line) => int.Parse(line.Split(' ')[2].Split(':')[^1], CultureInfo.InvariantCulture);

    private static async Task<TmuxTerminal> StartClientAsync(TemporaryDirectory folder, string name, string command)
    {
        TmuxTerminal terminal = await TmuxTerminal.StartAsync(folder, 100, 24, name);
        await terminal.EnterAsync(command);
        await terminal.ShowsAsync("Create it? [y/N]");
        await terminal.EnterAsync("y");
        await terminal.ShowsAsync($" {name} │ ● connected");
        return terminal;
    }

    private static async Task<ProgramProcess> RunAsync(string command)
    {
        await using ProgramProcess program = ProgramProcess.Start(
            "/usr/bin/env", Repository.PathOf("."), ["MSBUILDDISABLENODEREUSE=1", "UseSharedCompilation=false", .. Words(command)]);
        await program.Exited.WaitAsync(s_patience);
        return program;
    }

    [GeneratedRegex("(?<!`)`(?<command>(dotnet|tools/)[^`]*)`(?!`)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex CommandInSentence();
}
