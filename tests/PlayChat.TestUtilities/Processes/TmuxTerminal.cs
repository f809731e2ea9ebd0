using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace PlayChat.TestUtilities.Processes;

/// <summary>A terminal of a size of its own with a shell in it, by tmux in control mode: keys in, rows of the screen out.</summary>
/// <remarks>Tmux tells each time that something was written to the terminal, so the test waits for that and not for time.</remarks>
public sealed class TmuxTerminal : IAsyncDisposable
{
    public const string SkipReason = "This system has no tmux, which gives the client a terminal.";

    private readonly Process _tmux;
    private readonly Task _reading;
    private readonly object _gate = new();
    private readonly Queue<TaskCompletionSource<string[]>> _replies = new();
    private readonly SemaphoreSlim _commands = new(1);
    private TaskCompletionSource _changed = NewChange();

    private TmuxTerminal(Process tmux)
    {
        _tmux = tmux;
        _reading = Task.Run(ReadAsync);
    }

    public static bool IsSupported => !OperatingSystem.IsWindows() && (Environment.GetEnvironmentVariable("PATH") ?? "")
        .Split(Path.PathSeparator).Any(static folder => File.Exists(Path.Combine(folder, "tmux")));

    /// <summary>Starts a terminal with a shell, and waits for its prompt.</summary>
    /// <param name="folder">Where the shell begins, and where tmux has its socket.</param>
    /// <param name="columns">Width of the window in characters.</param>
    /// <param name="rows">Height of the window in lines.</param>
    /// <param name="name">Name of the socket: another one for each terminal in the folder.</param>
    public static async Task<TmuxTerminal> StartAsync(TemporaryDirectory folder, int columns, int rows, string name = "tmux")
    {
        var start = new ProcessStartInfo("tmux", ["-u", "-S", folder.Combine(name), "-f", "/dev/null", "-C", "new-session", "sh"])
        {
            WorkingDirectory = folder.Path,
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            StandardInputEncoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false),
            StandardOutputEncoding = Encoding.UTF8,
        };
        start.Environment["LC_ALL"] = "C.UTF-8";
        start.Environment.Remove("TMUX");
        var terminal = new TmuxTerminal(ChildProcess.Start(start));
        try
        {
            // The first reply is that of the command line.
            terminal._replies.Enqueue(new TaskCompletionSource<string[]>());
            await terminal.ResizeAsync(columns, rows);
            await terminal.ShowsAsync(static rows => IsPrompt(rows[0]), "the prompt of the shell");
            return terminal;
        }
        catch
        {
            await terminal.DisposeAsync();
            throw;
        }
    }

    /// <summary>Makes the window another size; completes when it has that size.</summary>
    public async Task ResizeAsync(int columns, int rows)
    {
        string size = string.Create(CultureInfo.InvariantCulture, $"{columns}x{rows}");
        await Eventually.GetAsync(
            async () =>
            {
                await CommandAsync($"refresh-client -C {size}"); // tmux forgets it while its client is not yet attached
                return await ReadFormatAsync("#{pane_width}x#{pane_height}");
            },
            present => present == size);
    }

    /// <summary>Types text as it is.</summary>
    public Task TypeAsync(string text) => CommandAsync($"send-keys -l -- '{text.Replace("'", "'\\''", StringComparison.Ordinal)}'");

    /// <summary>Presses a key, named as tmux does: Enter, PPage, C-c.</summary>
    public Task PressAsync(string key) => CommandAsync("send-keys " + key);

    /// <summary>Types a line and presses Enter.</summary>
    public async Task EnterAsync(string line)
    {
        await TypeAsync(line);
        await PressAsync("Enter");
    }

    /// <summary>Gives commands to tmux, each with a reply.</summary>
    public async Task CommandsAsync(params string[] commands)
    {
        foreach (string command in commands)
        {
            await CommandAsync(command);
        }
    }

    /// <summary>The rows of the screen, without spaces at their ends.</summary>
    public async Task<string[]> ReadRowsAsync() => [.. (await CommandAsync("capture-pane -p")).Select(static row => row.TrimEnd())];

    /// <summary>The same, with rows that the terminal has wrapped joined to one.</summary>
    public async Task<string[]> ReadJoinedRowsAsync() =>
        [.. (await CommandAsync("capture-pane -p -J")).Select(static row => row.TrimEnd())];

    /// <summary>What tmux knows of the terminal, by one of its formats.</summary>
    public async Task<string> ReadFormatAsync(string format) => (await CommandAsync($"display-message -p '{format}'"))[0];

    /// <summary>Whether a row is the empty prompt of a shell, which differs for root.</summary>
    public static bool IsPrompt(string row) => row is "$" or "#";

    /// <summary>Waits until a row contains a text.</summary>
    public Task<string[]> ShowsAsync(string text) =>
        ShowsAsync(rows => rows.Any(row => row.Contains(text, StringComparison.Ordinal)), text);

    /// <summary>Waits until the rows are as they should be.</summary>
    /// <exception cref="TimeoutException">They never were; the message shows them.</exception>
    public async Task<string[]> ShowsAsync(Func<string[], bool> isMeant, string what)
    {
        while (true)
        {
            Task changed;
            lock (_gate)
            {
                changed = _changed.Task;
            }

            string[] rows = await ReadRowsAsync();
            if (isMeant(rows))
            {
                return rows;
            }

            try
            {
                await changed.WaitAsync(TestTimeouts.Hang);
            }
            catch (TimeoutException e)
            {
                throw new TimeoutException($"The terminal did not show \"{what}\":\n{string.Join('\n', rows)}", e);
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (!_tmux.HasExited)
        {
            lock (_gate)
            {
                _replies.Enqueue(new TaskCompletionSource<string[]>());
            }

            await _tmux.StandardInput.WriteLineAsync("kill-server");
            await _tmux.StandardInput.FlushAsync();
        }

        await _reading.WaitAsync(TestTimeouts.Hang);
        await _tmux.WaitForExitAsync();
        _tmux.Dispose();
        _commands.Dispose();
    }

    private static TaskCompletionSource NewChange() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private async Task<string[]> CommandAsync(string command)
    {
        var reply = new TaskCompletionSource<string[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        await _commands.WaitAsync();
        try
        {
            lock (_gate)
            {
                _replies.Enqueue(reply);
            }

            await _tmux.StandardInput.WriteLineAsync(command);
            await _tmux.StandardInput.FlushAsync();
        }
        finally
        {
            _commands.Release();
        }

        return await reply.Task.WaitAsync(TestTimeouts.Hang);
    }

    // A reply stands between %begin and %end; every other line that begins with % is a notification.
    private async Task ReadAsync()
    {
        List<string>? reply = null;
        while (await _tmux.StandardOutput.ReadLineAsync() is { } line)
        {
            if (reply is null && line.StartsWith("%begin ", StringComparison.Ordinal))
            {
                reply = [];
            }
            else if (reply is not null && line.Split(' ')[0] is ("%end" or "%error"))
            {
                End(reply, failed: line.StartsWith("%error", StringComparison.Ordinal));
                reply = null;
            }
            else if (reply is not null)
            {
                reply.Add(line);
            }
            else
            {
                Notify();
            }
        }
    }

    private void End(List<string> lines, bool failed)
    {
        TaskCompletionSource<string[]> reply;
        lock (_gate)
        {
            reply = _replies.Dequeue();
        }

        if (failed)
        {
            reply.SetException(new InvalidOperationException("tmux: " + string.Join(' ', lines)));
        }
        else
        {
            reply.SetResult([.. lines]);
        }
    }

    private void Notify()
    {
        lock (_gate)
        {
            _changed.SetResult();
            _changed = NewChange();
        }
    }
}
