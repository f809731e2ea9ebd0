namespace PlayChat.Client.Interaction;

/// <summary>What the loop that owns the terminal takes, one at a time.</summary>
internal abstract record TerminalEvent
{
    private TerminalEvent()
    {
    }

    /// <summary>A key or a paste; null when there are no more.</summary>
    public sealed record Key(KeyInput? Input) : TerminalEvent;

    /// <summary>Text to show above the input line, each line with its end.</summary>
    public sealed record Output(string Text) : TerminalEvent;

    /// <summary>The lines go off the screen.</summary>
    public sealed record Clear : TerminalEvent;

    /// <summary>What was typed is dropped.</summary>
    public sealed record Discard : TerminalEvent;

    /// <summary>A line is asked for.</summary>
    public sealed record BeginRead(InputPrompt Prompt, TaskCompletionSource<string?> Line) : TerminalEvent;

    /// <summary>A line is no longer asked for.</summary>
    public sealed record CancelRead(TaskCompletionSource<string?> Line, CancellationToken Token) : TerminalEvent;

    /// <summary>The input line is to be drawn anew.</summary>
    public sealed record Redraw : TerminalEvent;
}
