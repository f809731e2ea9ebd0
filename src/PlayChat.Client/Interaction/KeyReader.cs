namespace PlayChat.Client.Interaction;

/// <summary>Reads the keys of a terminal on a thread of its own, because a read is not cancellable.</summary>
internal static class KeyReader
{
    // A paste comes in pieces; between two lines that a person enters lies more time than this.
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(30);

    /// <summary>Starts the thread, which ends with the keys or with the process.</summary>
    /// <param name="take">Gets each key, paste and burst, and in the end null. Must not block.</param>
    public static void Start(ITerminal terminal, Action<KeyInput?> take) =>
        new Thread(() => Run(terminal, take)) { IsBackground = true, Name = "PlayChat keys" }.Start();

    private static void Run(ITerminal terminal, Action<KeyInput?> take)
    {
        var pastes = new PasteReader();
        List<ConsoleKeyInfo> keys = [];
        while (terminal.ReadKey() is { } key)
        {
            foreach (KeyInput input in pastes.Read(key, terminal.HasKey))
            {
                if (input.Pasted is null)
                {
                    keys.Add(input.Key);
                    continue;
                }

                Release(keys, take);
                take(input);
            }

            if (!Continues(keys, terminal))
            {
                Release(keys, take);
            }
        }

        Release(keys, take);
        take(null);
    }

    private static bool Continues(List<ConsoleKeyInfo> keys, ITerminal terminal) => keys.Count < PasteReader.MaxChars
        && (terminal.HasKey || (keys.Count > 1 && keys.Exists(KeyInput.IsEnter) && terminal.AwaitKey(s_pause)));

    private static void Release(List<ConsoleKeyInfo> keys, Action<KeyInput?> take)
    {
        foreach (KeyInput input in KeyInput.Of([.. keys]))
        {
            take(input);
        }

        keys.Clear();
    }
}
