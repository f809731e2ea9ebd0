using System.Globalization;
using PlayChat.FunctionalTests.Harness;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The console client in a real terminal.</summary>
public sealed class FullScreenClientTests(SharedServer shared)
{
    [Theory]
    [InlineData("quit")]
    [InlineData("Ctrl+C", Traits = ["Tier", "Full"])]
    [InlineData("SIGTERM", Traits = ["Tier", "Full"])]
    public async Task The_client_logs_in_talks_follows_the_size_of_the_window_and_leaves_the_terminal_as_it_was(string end)
    {
        Assert.SkipUnless(TmuxTerminal.IsSupported, TmuxTerminal.SkipReason);
        using var folder = new TemporaryDirectory();
        await using TmuxTerminal terminal = await TmuxTerminal.StartAsync(folder, 80, 24);
        await terminal.EnterAsync("stty -g > before; echo this was here");
        // With the prompt below it: a line that is typed before it is echoed above it, and what the line prints then follows the prompt.
        await terminal.ShowsAsync(
            static rows => Array.IndexOf(rows, "this was here") is >= 0 and int row && TmuxTerminal.IsPrompt(rows[row + 1]),
            "this was here, and a prompt");

        string name = $"tui {end.Replace("+", "", StringComparison.Ordinal)}";
        // In one line: what is typed while a program ends may be lost.
        await terminal.EnterAsync(ClientCommand(name) + "; CODE=$?; stty -g > after; echo exit code $CODE");
        await terminal.ShowsAsync("Create it? [y/N]");
        await terminal.EnterAsync("y");
        await terminal.ShowsAsync($" {name} │ ● connected");
        await terminal.EnterAsync($"/create 화면 {name} 🎉");
        await terminal.ShowsAsync("1 member");
        await terminal.EnterAsync("안녕 👋");
        await terminal.ShowsAsync($"{name}: 안녕 👋");
        Assert.Equal("1", await terminal.ReadFormatAsync("#{alternate_on}"));
        Assert.Equal(24, (await terminal.ReadRowsAsync()).Length);

        await terminal.ResizeAsync(140, 40);
        string[] rows = await terminal.ShowsAsync(
            static rows => rows.Length == 40 && rows[38].Length == 139 && rows[38].EndsWith("/help", StringComparison.Ordinal),
            "140 columns");
        Assert.Contains(rows, row => row.Contains($"{name}: 안녕 👋", StringComparison.Ordinal));
        await terminal.ResizeAsync(80, 24);
        await terminal.ShowsAsync(
            static rows => rows.Length == 24 && rows[22].Length == 79 && rows[22].EndsWith("/help", StringComparison.Ordinal),
            "80 columns");

        await EndAsync(terminal, end);
        await terminal.ShowsAsync(
            static rows => rows.Contains("this was here", StringComparer.Ordinal) && rows.Contains("exit code 0", StringComparer.Ordinal),
            "the screen from before and the exit code");

        Assert.Equal("0 1", await terminal.ReadFormatAsync("#{alternate_on} #{cursor_flag}"));
        Assert.Equal(File.ReadAllText(folder.Combine("before")), File.ReadAllText(folder.Combine("after")));
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Sixty_pasted_lines_are_one_question_in_line_mode()
    {
        Assert.SkipUnless(TmuxTerminal.IsSupported, TmuxTerminal.SkipReason);
        using var folder = new TemporaryDirectory();
        await using TmuxTerminal terminal = await TmuxTerminal.StartAsync(folder, 80, 24);
        await File.WriteAllLinesAsync(folder.Combine("lines"), Enumerable.Range(1, 60).Select(static i => $"line {i}"));
        await terminal.EnterAsync(ClientCommand("paster", "--line"));
        await terminal.ShowsAsync("Create it? [y/N]");
        await terminal.EnterAsync("y");
        await terminal.ShowsAsync("Choice:");
        await terminal.EnterAsync("1");
        await terminal.ShowsAsync("Name of the room:");
        await terminal.EnterAsync("pasted lines");
        await terminal.ShowsAsync("Members: paster");

        await terminal.CommandsAsync($"load-buffer {folder.Combine("lines")}", "paste-buffer -p");
        await terminal.ShowsAsync("Post 60 lines? [y/N]");
        Assert.DoesNotContain(await terminal.ReadRowsAsync(), static row => row.Contains("paster: line", StringComparison.Ordinal));
        await terminal.TypeAsync("y");
        await terminal.ShowsAsync("paster: line 60");
        await terminal.EnterAsync("/quit");
        await terminal.ShowsAsync(static rows => TmuxTerminal.IsPrompt(rows.Last(static row => row.Length > 0)), "the prompt of the shell");
    }

    [Fact]
    public async Task Lines_that_a_terminal_does_not_mark_as_pasted_are_one_question_and_Control_C_first_drops_what_is_typed()
    {
        Assert.SkipUnless(TmuxTerminal.IsSupported, TmuxTerminal.SkipReason);
        using var folder = new TemporaryDirectory();
        await using TmuxTerminal terminal = await TmuxTerminal.StartAsync(folder, 80, 24);
        await File.WriteAllLinesAsync(
            folder.Combine("lines"), Enumerable.Range(1, 20).Select(static i => $"line {i} {new string('x', 60)}"));
        await terminal.EnterAsync(ClientCommand("burster", "--line"));
        await terminal.ShowsAsync("Create it? [y/N]");
        await terminal.EnterAsync("y");
        await terminal.ShowsAsync("Choice:");
        await terminal.EnterAsync("/create bursts");
        await terminal.ShowsAsync("Members: burster");

        await terminal.CommandsAsync($"load-buffer {folder.Combine("lines")}", "paste-buffer"); // without -p: not bracketed
        await terminal.ShowsAsync("Post 20 lines? [y/N]");
        await terminal.TypeAsync("n");
        await terminal.TypeAsync("half a line");
        await terminal.ShowsAsync("> half a line");
        await terminal.PressAsync("C-c");
        await terminal.ShowsAsync("Press Ctrl+C again to quit.");
        Assert.DoesNotContain(await terminal.ReadRowsAsync(), static row => row.Contains("burster: ", StringComparison.Ordinal));
        await terminal.PressAsync("C-c");
        await terminal.ShowsAsync(static rows => TmuxTerminal.IsPrompt(rows.Last(static row => row.Length > 0)), "the prompt of the shell");
    }

    private static async Task EndAsync(TmuxTerminal terminal, string end)
    {
        switch (end)
        {
            case "quit":
                await terminal.EnterAsync("/quit");
                break;
            case "Ctrl+C":
                await terminal.PressAsync("C-c");
                break;
            default:
                await terminal.CommandsAsync("run-shell 'kill -TERM $(cat pid)'");
                break;
        }
    }

    // The shell that writes its process id becomes the client.
    private string ClientCommand(string name, params string[] options)
    {
        (string program, string[] arguments) = ProgramProcess.CommandOf(
            ProgramFile.Find("PlayChat.Client"),
            ["--port", shared.Process.Port.ToString(CultureInfo.InvariantCulture), "--name", name, .. options]);
        string command = string.Join(' ', arguments.Prepend(program).Select(static word => $"\"{word}\""));
        return $"sh -c 'echo $$ > pid; exec {command}'";
    }
}
