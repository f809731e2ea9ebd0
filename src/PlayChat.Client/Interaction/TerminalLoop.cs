using System.Globalization;
using System.Threading.Channels;

namespace PlayChat.Client.Interaction;

/// <summary>
/// The loop that owns a terminal. Keys, lines and questions come to it as changes, through one queue; what it took at once is drawn once.
/// </summary>
/// <remarks>
/// No other thread waits for the terminal, so that one that stands still (Ctrl+S) does not stop the connection; lines beyond
/// <see cref="MaxQueuedLines"/> are then not shown, and their number is.
/// </remarks>
internal sealed class TerminalLoop
{
    /// <summary>Lines and tables that may wait for the terminal.</summary>
    public const int MaxQueuedLines = 2000;

    /// <summary>Keys that may wait: more than anybody types ahead, less than a pasted book.</summary>
    public const int MaxQueuedKeys = 65_536;

    private readonly ITerminal _terminal;
    private readonly Channel<Action> _changes = Channel.CreateUnbounded<Action>(new UnboundedChannelOptions { SingleReader = true });
    private readonly Task _loop;
    private int _queuedLines;
    private int _queuedKeys;
    private int _unshownLines;

    /// <param name="terminal">Disposed with this object.</param>
    /// <param name="press">Takes a key, a paste or a burst, and in the end null. On the loop, as all that follows.</param>
    /// <param name="redraw">The screen is no longer what was drawn.</param>
    /// <param name="tell">Takes a line about lines that were not shown.</param>
    /// <param name="draw">Draws what has changed.</param>
    public TerminalLoop(ITerminal terminal, Action<KeyInput?> press, Action redraw, Action<string> tell, Action draw)
    {
        _terminal = terminal;
        _changes.Writer.TryWrite(static () => { }); // draws the empty screen
        _loop = Task.Run(() => RunAsync(press, tell, draw));
        terminal.Changed += (_, _) => Change(redraw);
        KeyReader.Start(terminal, key => Take(key, press));
    }

    /// <summary>Carries a change out on the loop.</summary>
    /// <returns>False when the loop has ended.</returns>
    public bool Change(Action change) => _changes.Writer.TryWrite(change);

    /// <summary>The same for a change that shows lines: it is left out when too many wait.</summary>
    public void Show(Action change)
    {
        if (Interlocked.Increment(ref _queuedLines) > MaxQueuedLines)
        {
            Interlocked.Decrement(ref _queuedLines);
            Interlocked.Increment(ref _unshownLines);
            return;
        }

        Change(() =>
        {
            Interlocked.Decrement(ref _queuedLines);
            change();
        });
    }

    /// <summary>Waits for an answer that the loop gives.</summary>
    /// <param name="begin">Asks, on the loop.</param>
    /// <param name="takeBack">Takes the question back, on the loop; the caller learns that it was cancelled.</param>
    /// <returns>Null when the loop has ended.</returns>
    public async Task<string?> AskAsync(
        Action<TaskCompletionSource<string?>> begin,
        Func<TaskCompletionSource<string?>, bool> takeBack,
        CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var answer = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        if (!Change(() => begin(answer)))
        {
            return null;
        }

        await using CancellationTokenRegistration cancelled = cancellationToken.Register(() => Change(() =>
        {
            if (takeBack(answer))
            {
                answer.TrySetCanceled(cancellationToken);
            }
        }));
        return await answer.Task;
    }

    /// <summary>Carries out the changes that wait, and gives the terminal back.</summary>
    /// <exception cref="UserInterfaceFailedException">The loop has failed.</exception>
    public async Task EndAsync()
    {
        _changes.Writer.TryComplete();
        try
        {
            await _loop;
        }
        catch (Exception e)
        {
            throw new UserInterfaceFailedException(e);
        }
        finally
        {
            _terminal.Dispose();
        }
    }

    private void Take(KeyInput? key, Action<KeyInput?> press)
    {
        if (Interlocked.Increment(ref _queuedKeys) > MaxQueuedKeys && key is not null)
        {
            Interlocked.Decrement(ref _queuedKeys);
            return;
        }

        Change(() =>
        {
            Interlocked.Decrement(ref _queuedKeys);
            press(key);
        });
    }

    private async Task RunAsync(Action<KeyInput?> press, Action<string> tell, Action draw)
    {
        try
        {
            while (await _changes.Reader.WaitToReadAsync())
            {
                while (_changes.Reader.TryRead(out Action? change))
                {
                    change();
                }

                if (Interlocked.Exchange(ref _unshownLines, 0) is > 0 and int unshown)
                {
                    tell(string.Create(CultureInfo.InvariantCulture, $"({unshown} lines are not shown: the terminal stood still)"));
                }

                draw();
            }
        }
        finally
        {
            // Also after a fault: the program then ends, and EndAsync throws what happened. Nobody waits for an answer any more.
            _changes.Writer.TryComplete();
            press(null);
            while (_changes.Reader.TryRead(out Action? change))
            {
                change();
            }
        }
    }
}
