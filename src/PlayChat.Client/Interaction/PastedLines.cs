namespace PlayChat.Client.Interaction;

/// <summary>Several lines that were pasted at once: a question comes before they are posted.</summary>
internal sealed class PastedLines
{
    // A server takes 100 packets a second from one client by default; some are left for the client's own.

    /// <summary>Lines that can be posted at once.</summary>
    public const int MaxLines = 90;

    private readonly string[] _lines;
    private readonly string _unfinished; // behind the last line's end

    private PastedLines(string[] lines, string unfinished)
    {
        _lines = lines;
        _unfinished = unfinished;
        Lines = [.. lines.Select(ChatCommand.Quote)];
    }

    /// <summary>Whether what was typed before is the beginning of the first line.</summary>
    public bool TakesDraft { get; init; }

    /// <summary>The lines as they are entered, without empty ones. A slash at the beginning is no command.</summary>
    public IReadOnlyList<string> Lines { get; }

    public string Question => $"Post {Lines.Count} lines? [y/N] ";

    /// <summary>What the user is told instead of asked when there are too many; null when they can be posted.</summary>
    public string? Refusal => Lines.Count <= MaxLines
        ? null : $"Not posted: {Lines.Count} lines were pasted, and {MaxLines} is the most at once.";

    /// <param name="text">The text with \n between its lines.</param>
    /// <param name="single">The text when it is one line, which belongs into the input line; otherwise its first line.</param>
    /// <param name="takesDraft">See <see cref="TakesDraft"/>.</param>
    /// <returns>Null for one line.</returns>
    public static PastedLines? Split(string text, out string single, bool takesDraft = false)
    {
        string[] lines = text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        lines = [.. lines.Where(static line => !string.IsNullOrWhiteSpace(line))];
        single = lines.FirstOrDefault() ?? text.Replace("\n", "", StringComparison.Ordinal);
        return lines.Length < 2 ? null : new PastedLines(lines, text[(text.LastIndexOf('\n') + 1)..]) { TakesDraft = takesDraft };
    }

    /// <summary>What an input answers: more pasted text says no.</summary>
    /// <returns>Null for a key that is no answer.</returns>
    public static bool? AnswerOf(KeyInput input) => input switch
    {
        { Pasted: not null } or { Burst: not null } => false,
        { Key.KeyChar: 'y' or 'Y' } => true,
        { Key.KeyChar: 'n' or 'N' } or { Key.Key: ConsoleKey.Escape } => false,
        _ => KeyInput.IsEnter(input.Key) ? false : null,
    };

    /// <summary>
    /// Keeps lines that were perhaps typed and are not posted: the last one, without its Enter, goes behind the draft, the others go into
    /// the history.
    /// </summary>
    public void GiveBack(LineEditor editor, LineHistory history)
    {
        if (TakesDraft)
        {
            Array.ForEach(string.IsNullOrWhiteSpace(_unfinished) ? _lines : _lines[..^1], history.Add);
            editor.Insert(_unfinished);
        }
    }
}
