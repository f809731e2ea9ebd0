namespace PlayChat.Client.Interaction;

/// <summary>Reads the keys of a terminal on a thread of its own, because a read is not cancellable, and finds pastes among them.</summary>
/// <remarks>
/// In bracketed-paste mode a terminal puts ESC [ 200 ~ before pasted text and ESC [ 201 ~ behind it. The console knows neither sequence and
/// reports them character by character.
/// </remarks>
internal static class KeyReader
{
    /// <summary>Longest paste in UTF-16 units; what exceeds it is dropped.</summary>
    public const int MaxPasteChars = 65_536;

    private const char Escape = '\u001b';
    private const string PasteBegin = "\u001b[200~";
    private const string PasteEnd = "\u001b[201~";

    // A paste and a sequence come in pieces; between two lines that a person enters lies more time than this.
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(30);

    /// <summary>Starts the thread, which ends with the keys or with the process.</summary>
    /// <param name="take">Gets each key, paste and burst, and in the end null. Must not block.</param>
    public static void Start(ITerminal terminal, Action<KeyInput?> take) =>
        new Thread(() => Run(terminal, take)) { IsBackground = true, Name = "PlayChat keys" }.Start();

    private static void Run(ITerminal terminal, Action<KeyInput?> take)
    {
        List<ConsoleKeyInfo> keys = []; // that came together, or within a paste
        bool isPaste = false;
        while (terminal.ReadKey() is { } key)
        {
            keys.Add(key);
            bool isTurn = TryRemoveEnd(keys, isPaste ? PasteEnd : PasteBegin);
            if (isTurn || !(isPaste || Continues(keys, terminal)))
            {
                Release(keys, isPaste, take);
                isPaste ^= isTurn;
            }
            else if (isPaste && keys.Count > MaxPasteChars + PasteEnd.Length)
            {
                keys.RemoveAt(MaxPasteChars); // the last ones stay: they may be the end
            }
        }

        Release(keys, isPaste, take);
        take(null);
    }

    private static bool TryRemoveEnd(List<ConsoleKeyInfo> keys, string sequence)
    {
        int first = keys.FindLastIndex(keys.Count - 1, Math.Min(keys.Count, sequence.Length), static key => CharsOf(key)[0] == Escape);
        bool isFound = first >= 0 && string.Concat(keys.Skip(first).Select(CharsOf)) == sequence;
        if (isFound)
        {
            keys.RemoveRange(first, keys.Count - first);
        }

        return isFound;
    }

    // Escape and [ that arrive alone are reported as one key: [ with Alt.
    private static string CharsOf(ConsoleKeyInfo key) =>
        key.Modifiers.HasFlag(ConsoleModifiers.Alt) && key.KeyChar == '[' ? "\u001b["
        : key.Key == ConsoleKey.Escape ? "\u001b" : key.KeyChar.ToString();

    // An Escape that is pressed comes alone.
    private static bool Continues(List<ConsoleKeyInfo> keys, ITerminal terminal) => keys.Count < MaxPasteChars
        && (terminal.HasKey
            || (keys.Count > 1
                && keys.Exists(static key => KeyInput.IsEnter(key) || CharsOf(key)[0] == Escape)
                && SpinWait.SpinUntil(() => terminal.HasKey, s_pause)));

    private static void Release(List<ConsoleKeyInfo> keys, bool isPaste, Action<KeyInput?> take)
    {
        foreach (KeyInput input in isPaste ? [new KeyInput(default, KeyInput.TextOf(keys.Take(MaxPasteChars)))] : KeyInput.Of([.. keys]))
        {
            take(input);
        }

        keys.Clear();
    }
}

/// <summary>What comes from the keyboard: a key, text that was pasted, or lines that came all at once.</summary>
/// <param name="Key">The key; meaningless with one of the others.</param>
/// <param name="Pasted">The pasted text with \n between its lines; null for a key.</param>
/// <param name="Burst">
/// The keys of several lines that came faster than a person types: a paste into a terminal without bracketed paste. Null for a key.
/// </param>
internal readonly record struct KeyInput(ConsoleKeyInfo Key, string? Pasted = null, IReadOnlyList<ConsoleKeyInfo>? Burst = null)
{
    /// <summary>Keys that came all at once as inputs: one burst when they have several lines, otherwise each for itself.</summary>
    public static IEnumerable<KeyInput> Of(IReadOnlyList<ConsoleKeyInfo> keys)
    {
        bool hasLines = keys.SkipWhile(static key => !IsEnter(key))
            .Any(static key => !char.IsControl(key.KeyChar) && !char.IsWhiteSpace(key.KeyChar));
        return hasLines ? [new KeyInput(default, Burst: keys)] : keys.Select(static key => new KeyInput(key));
    }

    /// <summary>
    /// The same where the first line answers a question: its keys are each for themselves, and what comes next may be for another question.
    /// </summary>
    public static IEnumerable<KeyInput> OfAnswer(IReadOnlyList<ConsoleKeyInfo> keys)
    {
        int end = keys.TakeWhile(static key => !IsEnter(key)).Count() + 1;
        return keys.Take(end).Select(static key => new KeyInput(key)).Concat(Of([.. keys.Skip(end)]));
    }

    /// <summary>The text of keys, with \n for each Enter.</summary>
    public static string TextOf(IEnumerable<ConsoleKeyInfo> keys) =>
        string.Concat(keys.Select(static key => IsEnter(key) ? '\n' : key.KeyChar == '\t' ? ' ' : key.KeyChar)
            .Where(static c => c == '\n' || !char.IsControl(c)));

    public static bool IsEnter(ConsoleKeyInfo key) => key.Key == ConsoleKey.Enter || key.KeyChar is '\r' or '\n';
}
