namespace PlayChat.Client.Interaction;

/// <summary>Plain lines in and out: for scripts, pipes, small terminals and screen readers.</summary>
/// <remarks>Outside of rooms there is a menu. A choice of it is a short way to type a command.</remarks>
internal sealed class PlainUserInterface(ILineConsole console) : IUserInterface
{
    private long _roomId; // 0 in the menu

    public bool IsInteractive => console.IsInteractive;

    public bool ShowsOneRoom => true;

    public Task<string?> ReadLineAsync(InputPrompt prompt, CancellationToken cancellationToken) =>
        console.ReadLineAsync(prompt, cancellationToken);

    public async Task<RoomInput?> ReadInputAsync(CancellationToken cancellationToken)
    {
        string? line = _roomId == 0
            ? await ReadChoiceAsync(cancellationToken) : await ReadLineAsync(InputPrompt.Chat, cancellationToken);
        return line is null ? null : new RoomInput(_roomId, line);
    }

    public void PutBack(string line) => console.PutBack(line);

    public bool TryDiscardLine() => console.TryDiscardLine();

    public void CompleteWith(Func<long, string, IReadOnlyList<string>> find) => console.CompleteWith(before => find(_roomId, before));

    public void Write(ScreenLine line, long? roomId = null)
    {
        // A script has no use for hints, and finds a message by what stands before it.
        if (line.Kind != LineKind.Hint || IsInteractive)
        {
            console.Write(LineFormat.Plain(IsInteractive ? line : line with { IsMention = false }), line.Kind == LineKind.Error);
        }
    }

    public void Clear() => console.Clear();

    public void OpenRoom(long roomId, string name, IReadOnlyList<string> members, IReadOnlyList<ScreenLine> history)
    {
        _roomId = roomId;
        Write(new ScreenLine(LineKind.Title, $"Room {roomId}: {name}"));
        Write(new ScreenLine(LineKind.Info, "Members: " + string.Join(", ", members)));
        Write(new ScreenLine(LineKind.Hint, ChatCommand.Help));
        WriteEarlier(roomId, history);
    }

    public void SwitchTo(long roomId) => _roomId = roomId;

    public void CloseRoom(long roomId) => _roomId = _roomId == roomId ? 0 : _roomId;

    public void WriteEarlier(long roomId, IReadOnlyList<ScreenLine> lines)
    {
        foreach (ScreenLine line in lines)
        {
            Write(line);
        }
    }

    public ValueTask DisposeAsync() => console.DisposeAsync();

    /// <returns>A command; null at the end of the input.</returns>
    private async Task<string?> ReadChoiceAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            Write(new ScreenLine(LineKind.Hint, "1 create a room   2 join a room   3 list rooms   4 quit"));
            string? choice = (await ReadLineAsync(new InputPrompt("Choice: "), cancellationToken))?.Trim();
            string? command = choice?.ToUpperInvariant() switch
            {
                "1" => await AskAsync("/create", "Name of the room: ", cancellationToken),
                "2" => await AskAsync("/join", "Number or name of the room: ", cancellationToken),
                "3" => "/rooms",
                "4" or "Q" => "/quit",
                _ => choice,
            };
            if (command is null || ChatCommand.Read(command) is not null)
            {
                return command;
            }

            if (command.Length > 0)
            {
                Write(new ScreenLine(LineKind.Warning, $"There is no choice \"{choice}\": type 1, 2, 3 or 4, or /help."));
            }
        }
    }

    /// <returns>The command with the answer, or the command that was typed instead; empty when the user goes back to the menu, null at the
    /// end of the input.</returns>
    private async Task<string?> AskAsync(string command, string label, CancellationToken cancellationToken)
    {
        string? answer = (await ReadLineAsync(new InputPrompt(label), cancellationToken))?.Trim();
        return answer is null || (answer.Length == 0 && IsInteractive) || ChatCommand.Read(answer) is not null
            ? answer : $"{command} {ChatCommand.TextOf(answer)}"; // without a room it is refused, which ends a script
    }
}

/// <summary>Where <see cref="PlainUserInterface"/> reads and writes its lines.</summary>
/// <remarks>Writing is thread-safe. One line is read at a time.</remarks>
internal interface ILineConsole : IAsyncDisposable
{
    bool IsInteractive { get; }

    /// <returns>Null at the end of the input.</returns>
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
