namespace PlayChat.Client.Interaction;

/// <summary>The person or the script in front of the client.</summary>
/// <remarks>Writing is thread-safe. One line is read at a time.</remarks>
internal interface IUserInterface : IAsyncDisposable
{
    /// <summary>Whether input is interactive, so that questions can be answered.</summary>
    bool IsInteractive { get; }

    /// <summary>Reads one line, while others may write.</summary>
    /// <returns>The line without its end; null at the end of the input.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    Task<string?> ReadLineAsync(InputPrompt prompt, CancellationToken cancellationToken);

    /// <summary>Shows a line.</summary>
    void Write(ScreenLine line);

    /// <summary>Shows a table.</summary>
    void Write(ScreenTable table);

    /// <summary>Drops what the user has typed and not entered. May be called on any thread.</summary>
    /// <returns>False when there is nothing: Ctrl+C then ends the program.</returns>
    bool TryDiscardLine();

    /// <summary>Takes the lines off the screen where that is possible.</summary>
    void Clear();
}
