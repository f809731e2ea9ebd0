namespace PlayChat.Client.Interaction;

/// <summary>Reads the keys of a terminal on a thread of its own, because a read is not cancellable.</summary>
internal static class KeyReader
{
    /// <summary>Starts the thread, which ends with the keys or with the process.</summary>
    /// <param name="terminal">The terminal.</param>
    /// <param name="take">Gets each key and paste, and in the end null. Must not block.</param>
    public static void Start(ITerminal terminal, Action<KeyInput?> take) =>
        new Thread(() => Run(terminal, take)) { IsBackground = true, Name = "PlayChat keys" }.Start();

    private static void Run(ITerminal terminal, Action<KeyInput?> take)
    {
        var pastes = new PasteReader();
        while (terminal.ReadKey() is { } key)
        {
            foreach (KeyInput input in pastes.Read(key, terminal.HasKey))
            {
                take(input);
            }
        }

        take(null);
    }
}
