namespace PlayChat.Client.Interaction;

/// <summary>The person or the script in front of the client.</summary>
/// <remarks>Thread-safe, but one line is read at a time.</remarks>
internal interface IUserInterface : IAsyncDisposable
{
    /// <summary>Whether input is interactive, so that questions can be answered.</summary>
    bool IsInteractive { get; }

    /// <summary>Whether the user sees one room at a time, and leaves it to enter another one.</summary>
    bool ShowsOneRoom { get; }

    /// <summary>Asks a question, while others may write.</summary>
    /// <returns>The line without its end; null at the end of the input.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    Task<string?> ReadLineAsync(InputPrompt prompt, CancellationToken cancellationToken);

    /// <summary>Waits for what the user says, commands or wants next.</summary>
    /// <returns>Null at the end of the input.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    Task<RoomInput?> ReadInputAsync(CancellationToken cancellationToken);

    /// <summary>Gives a line back that was entered in vain, so that the user can change it.</summary>
    void PutBack(string line);

    /// <summary>Drops what the user has typed and not entered.</summary>
    /// <returns>False when there is nothing: Ctrl+C then ends the program.</returns>
    bool TryDiscardLine();

    /// <summary>Says what Tab finds: from the room that the user looks at and the text before the cursor, the texts that may replace it.
    /// </summary>
    void CompleteWith(Func<long, string, IReadOnlyList<string>> find);

    /// <summary>Shows a line in a room that is open; without a room, where the user looks.</summary>
    void Write(ScreenLine line, long? roomId = null);

    /// <inheritdoc cref="Write(ScreenLine, long?)"/>
    void Write(LineKind kind, string text, long? roomId = null) => Write(new ScreenLine(kind, text), roomId);

    /// <summary>Takes the lines off the screen where that is possible.</summary>
    void Clear();

    /// <summary>Shows a room and what was said in it last, and switches to it.</summary>
    void OpenRoom(long roomId, string name, IReadOnlyList<string> members, IReadOnlyList<ScreenLine> history);

    void SwitchTo(long roomId);

    void CloseRoom(long roomId);

    /// <summary>Shows what was said in a room before what is seen of it.</summary>
    void WriteEarlier(long roomId, IReadOnlyList<ScreenLine> lines);

    void MarkUnread(long roomId);

    // What plain lines leave out.

    /// <summary>Says what is called, on any thread, with the room whose newest line the user sees, and with the room to which the user
    /// writes.</summary>
    void WatchWith(Action<long> seen, Action<long> writes) { }

    void ShowWriters(long roomId, IReadOnlyList<string> names) { }

    void ShowMembers(long roomId, IReadOnlyList<string> names) { }

    void ShowPlayer(string name) { }

    void ShowLink(LinkState state) { }
}
