using System.Globalization;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The console client under a shell that takes the terminal away and gives it back.</summary>
[Trait("Tier", "Full")]
public sealed class SuspendedClientTests(SharedServer shared)
{
    [Theory]
    [InlineData("--line")]
    [InlineData("--tui")]
    public async Task Ctrl_Z_gives_the_terminal_to_the_shell_and_fg_gives_it_back(string option)
    {
        Assert.SkipUnless(TmuxTerminal.IsSupported, TmuxTerminal.SkipReason);
        using var folder = new TemporaryDirectory();
        await using TmuxTerminal terminal = await TmuxTerminal.StartAsync(folder, 100, 30);
        string name = $"stopped {option.Length}";
        await terminal.EnterAsync($"set -m; {ClientCommand(name, option)}");
        string ready = option == "--line" ? "Choice:" : $" {name} │ ● connected";
        await terminal.ShowsAsync("Create it? [y/N]");
        await terminal.EnterAsync("y");
        await terminal.ShowsAsync(ready);
        await using ChatClient other = await Players.LoginAsync(shared.Process, $"busy {option.Length}");
        using var stop = new CancellationTokenSource();
        Task chatting = Task.CompletedTask;
        if (option == "--tui")
        {
            long roomId = (await other.CreateRoomAsync("busy")).RoomId;
            chatting = ChatAsync(other, roomId, stop.Token); // so that there is always something to draw
            await terminal.EnterAsync(string.Create(CultureInfo.InvariantCulture, $"/join {roomId}"));
            await terminal.ShowsAsync("once more");
        }

        await terminal.PressAsync("C-z");
        await terminal.ShowsAsync(static rows => rows.Any(static row => row.Contains("Stopped", StringComparison.Ordinal)), "Stopped");
        await terminal.EnterAsync("clear; echo for $((40 + 2)) the shell");
        await terminal.ShowsAsync("for 42 the shell");
        await terminal.EnterAsync("bg");
        await terminal.EnterAsync("echo still $((40 + 3)) the shell");
        await terminal.ShowsAsync("still 43 the shell");
        await terminal.EnterAsync("clear; fg");
        string[] rows = await terminal.ShowsAsync(ready);
        await terminal.PressAsync("C-c");
        await terminal.ShowsAsync(static rows => TmuxTerminal.IsPrompt(rows.Last(static row => row.Length > 0)), "the prompt of the shell");

        Assert.DoesNotContain(rows, static row => row.Contains("40 +", StringComparison.Ordinal));
        await stop.CancelAsync();
        await chatting;
    }

    [Fact]
    public async Task Ctrl_Z_does_nothing_where_no_shell_could_continue_the_client()
    {
        Assert.SkipUnless(TmuxTerminal.IsSupported && File.Exists("/usr/bin/script"), "There is no tmux, or no script.");
        using var folder = new TemporaryDirectory();
        await using TmuxTerminal terminal = await TmuxTerminal.StartAsync(folder, 100, 30);
        await terminal.EnterAsync($"set -m; script -qc '{ClientCommand("unstopped", "--line")}' /dev/null"); // on a terminal of its own
        await terminal.ShowsAsync("Create it? [y/N]");
        await terminal.EnterAsync("y");
        await terminal.ShowsAsync("Choice:");

        await terminal.PressAsync("C-z");
        await terminal.EnterAsync("/exit");

        await terminal.ShowsAsync("You are in no room");
        await terminal.EnterAsync("/quit");
        await terminal.ShowsAsync(static rows => TmuxTerminal.IsPrompt(rows.Last(static row => row.Length > 0)), "the prompt of the shell");
    }

    private static async Task ChatAsync(ChatClient client, long roomId, CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            await client.ChatAsync(roomId, "once more", cancellationToken: CancellationToken.None);
        }
    }

    private string ClientCommand(string name, string option)
    {
        (string program, string[] arguments) = ProgramProcess.CommandOf(
            ProgramFile.Find("PlayChat.Client"),
            ["--port", shared.Process.Port.ToString(CultureInfo.InvariantCulture), "--name", name, option]);
        return string.Join(' ', arguments.Prepend(program).Select(static word => $"\"{word}\""));
    }
}
