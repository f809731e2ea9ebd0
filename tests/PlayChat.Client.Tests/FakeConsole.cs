using System.Threading.Channels;
using PlayChat.Client.Interaction;
using PlayChat.TestUtilities;

namespace PlayChat.Client.Tests;

/// <summary>A person who types what the test says and sees what the test waits for, one thing after the other.</summary>
internal sealed class FakeConsole : ILineConsole
{
    private readonly Channel<string> _seen = Channel.CreateUnbounded<string>();
    private readonly Channel<string?> _typed = Channel.CreateUnbounded<string?>();

    private string? _putBack;

    public bool IsInteractive { get; init; } = true;

    /// <summary>Called with what is seen, by the thread that writes it.</summary>
    public Action<string>? Written { get; set; }

    public void Type(params string?[] lines) => Array.ForEach(lines, line => _typed.Writer.TryWrite(line));

    public void EndInput() => Type((string?)null);

    /// <summary>Waits for something that contains this, questions included; what came before is gone then.</summary>
    public async Task<string> SeesAsync(string text)
    {
        while (true)
        {
            string seen = await _seen.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);
            if (seen.Contains(text, StringComparison.Ordinal))
            {
                return seen;
            }
        }
    }

    public async Task<string?> ReadLineAsync(InputPrompt prompt, CancellationToken cancellationToken)
    {
        string? line = _putBack;
        _putBack = null;
        _seen.Writer.TryWrite($"? {prompt.Label}{line}");
        return await _typed.Reader.ReadAsync(cancellationToken);
    }

    public void Write(string text, bool isError)
    {
        Written?.Invoke(text);
        _seen.Writer.TryWrite(text);
    }

    public void PutBack(string line) => _putBack = line;

    public void Clear() => _seen.Writer.TryWrite("(clear)");

    public ValueTask DisposeAsync() => default;
}
