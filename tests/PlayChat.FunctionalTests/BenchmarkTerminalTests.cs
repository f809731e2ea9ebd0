using System.Globalization;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The live view of the load generator in a real terminal.</summary>
[Trait("Tier", "Full")]
public sealed class BenchmarkTerminalTests
{
    private const string Above = "this stands above";

    [Theory]
    [InlineData(80)]
    [InlineData(130)]
    public async Task The_live_view_leaves_the_screen_above_as_it_was_and_no_line_is_wider_than_the_terminal(int columns)
    {
        Assert.SkipUnless(TmuxTerminal.IsSupported, TmuxTerminal.SkipReason);
        await using ServerProcess server = await ServerProcess.StartAsync("--mode", "echo");
        using var folder = new TemporaryDirectory();
        string address = string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{server.Port}");
        (string program, string[] arguments) = ProgramProcess.CommandOf(
            ProgramFile.Find("PlayChat.Benchmark"),
            [
                "echo", "--connect", address, "--ccu", "4", "--inflight", "8", "--warmup", "0", "--duration", "5", "--interval", "0.5",
            ]);
        string command = string.Join(' ', arguments.Prepend(program).Select(static word => $"\"{word}\""));
        await File.WriteAllTextAsync(folder.Combine("run"), command); // a short line in the terminal: a long one would wrap there
        await using TmuxTerminal terminal = await TmuxTerminal.StartAsync(folder, columns, rows: 100);
        await terminal.EnterAsync($"echo {Above}");
        await terminal.ShowsAsync(static rows => rows.Contains(Above, StringComparer.Ordinal), Above);

        await terminal.EnterAsync("sh run; echo exit code $?");
        string[] rows = await terminal.ShowsAsync(static rows => rows.Contains("exit code 0", StringComparer.Ordinal), "exit code 0");

        int above = Array.IndexOf(rows, Above);
        Assert.True(above > 0, string.Join('\n', rows));
        Assert.EndsWith($"echo {Above}", rows[above - 1], StringComparison.Ordinal);
        Assert.EndsWith("sh run; echo exit code $?", rows[above + 1], StringComparison.Ordinal);
        // Ten intervals, fewer on a loaded machine. A row that the terminal has wrapped is joined again here, and is wider then. The
        // summary is text, which may wrap.
        string[] joined = await terminal.ReadJoinedRowsAsync();
        string[] live = [.. joined.TakeWhile(static row => !row.StartsWith("run ", StringComparison.Ordinal))];
        Assert.InRange(live.Length, 10, joined.Length - 1); // four rows of commands and heading, and at least six intervals
        Assert.All(live, row => Assert.InRange(row.Length, 0, columns));
    }
}
