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
