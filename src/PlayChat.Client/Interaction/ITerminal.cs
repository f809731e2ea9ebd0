namespace PlayChat.Client.Interaction;

/// <summary>A terminal that understands ANSI sequences.</summary>
internal interface ITerminal : IDisposable
{
    /// <summary>The window has another size, or something else has written over the screen. Raised on any thread.</summary>
    event EventHandler? Changed;

    /// <summary>The width of the window in columns, at least 1.</summary>
    int Columns { get; }

    /// <summary>Waits for a key, which is not echoed.</summary>
    /// <returns>Null when there are no more.</returns>
    ConsoleKeyInfo? ReadKey();

    /// <summary>Writes text as it is, sequences included.</summary>
    void Write(string text);
}
