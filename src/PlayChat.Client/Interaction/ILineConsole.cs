namespace PlayChat.Client.Interaction;

/// <summary>Where <see cref="PlainUserInterface"/> reads and writes its lines.</summary>
/// <remarks>Writing is thread-safe. One line is read at a time.</remarks>
internal interface ILineConsole : IAsyncDisposable
{
    /// <summary>Whether a person sees the output and types the input.</summary>
    bool IsInteractive { get; }

    /// <summary>Reads a line, while others may write.</summary>
    /// <returns>Null at the end of the input.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    Task<string?> ReadLineAsync(InputPrompt prompt, CancellationToken cancellationToken);

    /// <param name="text">Harmless text without sequences.</param>
    /// <param name="isError">Whether it goes to the standard error output where there are two outputs.</param>
    void Write(string text, bool isError);

    // What there is where the client edits the line itself.

    /// <summary>For Tab in the line of chat: what may replace the text before the cursor.</summary>
    void CompleteWith(Func<string, IReadOnlyList<string>> find) { }

    void PutBack(string line) { }

    bool TryDiscardLine() => false;

    void Clear() { }
}
