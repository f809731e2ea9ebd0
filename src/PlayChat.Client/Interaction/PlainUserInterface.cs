namespace PlayChat.Client.Interaction;

/// <summary>Plain lines in and out: for scripts, pipes and terminals that can no more.</summary>
/// <remarks>A line is taken from the input only when it is asked for. When the output's reader has gone, that is the end of the input,
/// too.</remarks>
internal sealed class PlainUserInterface : IUserInterface
{
    private readonly IPlainInput _input;
    private readonly TextWriter _output;
    private readonly TextWriter _errors;
    private readonly object _gate = new();
    private Task<string?>? _reading;
    private volatile bool _outputEnded;

    /// <param name="input">The lines.</param>
    /// <param name="output">What is shown.</param>
    /// <param name="errors">Where errors go.</param>
    /// <param name="isInteractive">Whether a person sees the output and types the input.</param>
    public PlainUserInterface(IPlainInput input, TextWriter output, TextWriter errors, bool isInteractive)
    {
        _input = input;
        _output = output;
        _errors = errors;
        IsInteractive = isInteractive;
    }

    public bool IsInteractive { get; }

    public async Task<string?> ReadLineAsync(InputPrompt prompt, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (IsInteractive && prompt.StaysOnScreen)
        {
            Put(_output, prompt.Label, endsLine: false);
        }

        // Cancelling does not end a read: the line that it yields later answers the next question.
        _reading ??= StartReading(prompt.IsSecret);
        string? line = await _reading.WaitAsync(cancellationToken);
        _reading = null;
        return _outputEnded ? null : line;
    }

    public void Write(ScreenLine line)
    {
        if (line.Kind != LineKind.Hint || IsInteractive)
        {
            // A script finds a message by what stands before it.
            string text = LineFormat.Plain(IsInteractive ? line : line with { IsMention = false });
            Put(line.Kind == LineKind.Error ? _errors : _output, text, endsLine: true);
        }
    }

    public void Write(ScreenTable table)
    {
        foreach (string line in LineFormat.Plain(table))
        {
            Put(_output, line, endsLine: true);
        }
    }

    public bool TryDiscardLine() => false;

    public void Clear()
    {
        // What was printed stays.
    }

    public ValueTask DisposeAsync() => default;

    private Task<string?> StartReading(bool isSecret)
    {
        // A thread of its own: it may wait for hours, and a read that is still under way must not keep the process alive.
        var line = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() =>
        {
            try
            {
                line.SetResult(_input.ReadLine(isSecret));
            }
            catch (Exception e) when (e is IOException or InvalidOperationException or ObjectDisposedException)
            {
                // An input that fails gives no more lines.
                line.SetResult(null);
            }
        })
        { IsBackground = true, Name = "PlayChat input" }.Start();
        return line.Task;
    }

    private void Put(TextWriter writer, string text, bool endsLine)
    {
        // Tables and messages come from several threads.
        lock (_gate)
        {
            try
            {
                writer.Write(endsLine ? text + writer.NewLine : text);
                writer.Flush();
            }
            catch (IOException)
            {
                _outputEnded = true;
            }
        }
    }
}
