namespace PlayChat.Client.Tests;

/// <summary>Key presses as the console reports them.</summary>
internal static class Keys
{
    public static ConsoleKeyInfo Enter { get; } = new('\r', ConsoleKey.Enter, shift: false, alt: false, control: false);

    public static ConsoleKeyInfo Backspace { get; } = new('\b', ConsoleKey.Backspace, shift: false, alt: false, control: false);

    public static ConsoleKeyInfo Press(ConsoleKey key) => new('\0', key, shift: false, alt: false, control: false);

    public static ConsoleKeyInfo Control(ConsoleKey key) =>
        new((char)(key - ConsoleKey.A + 1), key, shift: false, alt: false, control: true);

    public static ConsoleKeyInfo Alt(ConsoleKey key) => new((char)key, key, shift: false, alt: true, control: false);

    /// <summary>A paste in bracketed-paste mode, as the console reports it.</summary>
    public static IEnumerable<ConsoleKeyInfo> Paste(string text) => Type($"\u001b[200~{text}\u001b[201~");

    /// <summary>A character beyond U+FFFF comes as two keys.</summary>
    public static IEnumerable<ConsoleKeyInfo> Type(string text) =>
        text.Select(static c => new ConsoleKeyInfo(c, ConsoleKey.None, shift: false, alt: false, control: false));
}
