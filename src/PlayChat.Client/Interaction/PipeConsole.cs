namespace PlayChat.Client.Interaction;

/// <summary>Lines from a pipe or a file, or from a terminal that understands no sequences.</summary>
/// <remarks>
/// A line is taken from the input only when it is asked for. When the output's reader has gone, that is the end of the input, too.
/// </remarks>
/// <param name="readSecret">Reads a line that is not shown; null to read it as any other.</param>
internal sealed class PipeConsole(
    TextReader input, TextWriter output, TextWriter errors, bool isInteractive, Func<string?>? readSecret = null) : ILineConsole
{
    private readonly object _gate = new();
    private Task<string?>? _reading;
    private volatile bool _outputEnded;

    public bool IsInteractive => isInteractive;

    public async Task<string?> ReadLineAsync(InputPrompt prompt, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (isInteractive && !prompt.IsChat)
        {
            Put(output, prompt.Label);
        }

        // Cancelling does not end a read: the line that it yields later answers the next question.
        // On a thread of its own, because it may wait for hours; such a thread does not keep the process alive.
        _reading ??= Task.Factory.StartNew(
            () => Read(prompt.IsSecret), default, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        string? line = await _reading.WaitAsync(cancellationToken);
        _reading = null;
        return _outputEnded ? null : line;
    }

    public void Write(string text, bool isError)
    {
        TextWriter writer = isError ? errors : output;
        Put(writer, text + writer.NewLine);
    }

    public ValueTask DisposeAsync() => default;

    private string? Read(bool isSecret)
    {
        try
        {
            return isSecret && readSecret is not null ? readSecret() : input.ReadLine();
        }
        catch (Exception e) when (e is IOException or InvalidOperationException or ObjectDisposedException)
        {
            return null; // an input that fails gives no more lines
        }
    }

    private void Put(TextWriter writer, string text)
    {
        // Tables and messages come from several threads.
        lock (_gate)
        {
            try
            {
                writer.Write(text);
                writer.Flush();
            }
            catch (IOException)
            {
                _outputEnded = true;
            }
        }
    }
}
