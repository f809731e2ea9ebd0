namespace PlayChat.Client.Interaction;

/// <remarks>Thread-safe, but one line is read at a time.</remarks>
internal interface IUserInterface : IAsyncDisposable
{
    /// <summary>Whether input is interactive, so that questions can be answered.</summary>
    bool IsInteractive { get; }

    /// <summary>Whether the user sees one room at a time, and leaves it to enter another one.</summary>
    bool ShowsOneRoom { get; }

    /// <summary>Asks a question, while others may write.</summary>
    /// <returns>The line without its end; null at the end of the input.</returns>
    Task<string?> ReadLineAsync(InputPrompt prompt, CancellationToken cancellationToken);

    /// <summary>Waits for what the user says, commands or wants next.</summary>
    /// <returns>Null at the end of the input.</returns>
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

    /// <summary>Shows a room and what was said in it last, in place of what was shown of it. Switches to it if it is new.</summary>
    void OpenRoom(long roomId, string name, IReadOnlyList<string> members, IReadOnlyList<ScreenLine> history);

    void SwitchTo(long roomId);

    void CloseRoom(long roomId);

    /// <summary>Shows what was said in a room before what is seen of it.</summary>
    void WriteEarlier(long roomId, IReadOnlyList<ScreenLine> lines);

    // What plain lines leave out.

    /// <summary>Says what is called, on any thread, with the room whose newest line the user sees, and with the room to which the user
    /// writes.</summary>
    void WatchWith(Action<long> seen, Action<long> writes) { }

    void ShowWriters(long roomId, IReadOnlyList<string> names) { }

    void ShowMembers(long roomId, IReadOnlyList<string> names) { }

    void ShowPlayer(string name) { }

    void ShowLink(LinkState state) { }
}

/// <summary>One line to show. The user interface makes its texts harmless first: other players may have written them.</summary>
/// <param name="At">When, in local time.</param>
internal sealed record ScreenLine(LineKind Kind, string Text, string? Speaker = null, DateTimeOffset? At = null, bool IsMention = false);

/// <summary>What a line is about, which decides how and where it is shown.</summary>
internal enum LineKind
{
    Info, // an answer to what the user did
    Hint, // help for a person in front of the screen; a script has no use for it
    Title, // the name of what comes below
    Unread, // the mark between what the user has seen and what is new
    Warning, // something failed; the user can continue
    Error, // something failed, and without a person to ask it is the end
    Chat,
    OwnChat, // what the user said, as it came back from the room
    Direct, // what one player says to another one alone
    Event, // a player joined or left, or the server speaks
}

/// <summary>What the user of <see cref="IUserInterface"/> wants.</summary>
/// <param name="RoomId">The room that the user looks at; 0 for none.</param>
/// <param name="Line">What was entered; null when the user has scrolled to the oldest message and wants earlier ones.</param>
internal readonly record struct RoomInput(long RoomId, string? Line);

/// <param name="Label">What stands before the input.</param>
/// <param name="IsChat">
/// The line of chat: it has a history and completion, takes several pasted lines, and goes off the screen when it is entered, because it
/// comes back in another form.
/// </param>
internal sealed record InputPrompt(string Label, bool IsSecret = false, bool IsChat = false)
{
    public static InputPrompt Chat { get; } = new("> ", IsChat: true);
}

/// <summary>What the status bar says about the connection.</summary>
/// <param name="Words">Such as "connected" or "reconnecting, attempt 3".</param>
/// <param name="Latency">How long the server took to answer; null when that is not known.</param>
internal sealed record LinkState(bool IsConnected, string Words, TimeSpan? Latency = null);
