using System.Threading.Channels;

namespace PlayChat.Client.Interaction;

/// <summary>
/// A person at a terminal, which a loop owns. Keys, lines and questions come to it as changes, through one queue; what it took at once is
/// drawn once.
/// </summary>
/// <remarks>
/// No other thread waits for the terminal, so that one that stands still (Ctrl+S) does not stop the connection; beyond
/// <see cref="MaxQueued"/>, keys are then dropped, and lines not shown, but their number is. The protected members run on the loop, except
/// <see cref="Start"/>, <see cref="Change"/> and <see cref="Show"/>.
/// </remarks>
/// <param name="terminal">Disposed with this object.</param>
internal abstract class TerminalFace(ITerminal terminal)
{
    /// <summary>Lines and keys that may wait for the terminal.</summary>
    public const int MaxQueued = 2000;

    // Bracketed paste: see KeyReader.
    protected const string PasteOn = "\u001b[?2004h";
    protected const string PasteOff = "\u001b[?2004l";

    private readonly Channel<Action> _changes = Channel.CreateUnbounded<Action>();
    private Task _loop = Task.CompletedTask;
    private int _unshownLines;
    private volatile bool _hasText; // the loop writes it, Ctrl+C reads it

    // Of the loop alone.
    private TaskCompletionSource<string?>? _answer;
    private bool _keysEnded;

    protected ITerminal Terminal => terminal;

    protected bool IsAsked => _answer is not null;

    protected abstract bool HasText { get; }

    public async Task<string?> ReadLineAsync(InputPrompt prompt, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var answer = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        bool isAsked = Change(() =>
        {
            _answer = answer;
            Ask(prompt);
            if (_keysEnded)
            {
                Answer(null);
            }
        });
        if (!isAsked)
        {
            return null;
        }

        await using CancellationTokenRegistration cancelled = cancellationToken.Register(() => Change(() =>
        {
            if (_answer == answer)
            {
                TakeBack();
                _answer = null;
                answer.TrySetCanceled(cancellationToken);
            }
        }));
        return await answer.Task;
    }

    public bool TryDiscardLine()
    {
        if (!_hasText)
        {
            return false;
        }

        _hasText = false; // so that the next Ctrl+C ends the program also when the terminal stands still
        return Change(Discard);
    }

    /// <summary>Carries out the changes that wait, and gives the terminal back.</summary>
    /// <exception cref="UserInterfaceFailedException">The loop has failed.</exception>
    public virtual async ValueTask DisposeAsync()
    {
        Change(() => Answer(null)); // what was asked goes off the screen
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
            terminal.Dispose();
        }
    }

    /// <summary>Takes the terminal. A constructor ends with it.</summary>
    protected void Start(string enter, string leave)
    {
        terminal.UseModes(enter, leave);
        Change(static () => { }); // draws the empty screen
        _loop = Task.Run(RunAsync);
        terminal.Changed += (_, _) => Change(Redraw);
        KeyReader.Start(terminal, Take);
    }

    /// <returns>False when the loop has ended.</returns>
    protected bool Change(Action change) => _changes.Writer.TryWrite(change);

    /// <summary>The same for a change that shows a line: it is left out when too much waits.</summary>
    protected void Show(Action change)
    {
        if (_changes.Reader.Count >= MaxQueued || !Change(change))
        {
            Interlocked.Increment(ref _unshownLines);
        }
    }

    /// <summary>Gives the line that is waited for; null at the end of the input.</summary>
    protected void Answer(string? line)
    {
        if (_answer is { } answer)
        {
            EndQuestion();
            _answer = null;
            answer.TrySetResult(line);
        }
    }

    protected virtual void EndKeys()
    {
        _keysEnded = true;
        Answer(null);
    }

    protected abstract void Ask(InputPrompt prompt);

    /// <summary>Takes what was asked off the screen: it is being answered.</summary>
    protected abstract void EndQuestion();

    /// <summary>Takes what was asked off the screen: the caller does not wait any more.</summary>
    protected virtual void TakeBack() => EndQuestion();

    protected abstract void Discard();

    protected abstract void Press(KeyInput input);

    /// <summary>Shows a line where the user looks.</summary>
    protected abstract void Tell(string line);

    /// <summary>The screen is no longer what was drawn.</summary>
    protected virtual void Redraw() { }

    protected abstract void Draw();

    private void Take(KeyInput? key)
    {
        if (key is not { } input)
        {
            Change(EndKeys);
        }
        else if (_changes.Reader.Count < MaxQueued)
        {
            Change(() => Press(input));
        }
    }

    private async Task RunAsync()
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
                    Tell($"({unshown} lines are not shown: the terminal stood still)");
                }

                _hasText = HasText;
                Draw();
            }
        }
        finally
        {
            // Also after a fault: the program then ends, and DisposeAsync throws what happened. Nobody waits for an answer any more.
            _changes.Writer.TryComplete();
            EndKeys();
            while (_changes.Reader.TryRead(out Action? change))
            {
                change();
            }
        }
    }
}

/// <summary>The screen of a user interface failed, so nothing could be shown or read any more.</summary>
internal sealed class UserInterfaceFailedException(Exception inner) : Exception(
    $"The screen failed: {inner.Message} Start the client again, with --plain if it fails again.", inner);
