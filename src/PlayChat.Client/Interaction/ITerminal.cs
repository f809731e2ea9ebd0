namespace PlayChat.Client.Interaction;

internal interface ITerminal : IDisposable
{
    /// <summary>The window has another size, or something else has written over the screen. Raised on any thread.</summary>
    event EventHandler? Changed;

    /// <summary>The width of the window in columns, at least 1.</summary>
    int Columns { get; }

    /// <summary>The height of the window in rows, at least 1.</summary>
    int Rows { get; }

    /// <summary>Whether <see cref="ReadKey"/> would return at once.</summary>
    bool HasKey { get; }

    /// <summary>Switches modes of the terminal on, until the terminal is disposed or the process ends in any way but a kill.</summary>
    /// <param name="enter">The sequence that switches them on; written again when the process continues after a suspension.</param>
    /// <param name="leave">The sequence that switches them off.</param>
    void UseModes(string enter, string leave);

    /// <summary>Waits for a key, which is not echoed.</summary>
    /// <returns>Null when there are no more.</returns>
    ConsoleKeyInfo? ReadKey();

    void Write(string text);
}
