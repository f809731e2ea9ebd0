namespace PlayChat.Client.Interaction;

/// <summary>The terminal modes that the client switches on, as xterm defines them.</summary>
internal static class TerminalModes
{
    /// <summary>Bracketed paste: see <see cref="KeyReader"/>.</summary>
    public const string PasteOn = "\u001b[?2004h";

    public const string PasteOff = "\u001b[?2004l";

    /// <summary>Clears the screen, and puts the cursor into its first row.</summary>
    public const string ClearScreen = "\u001b[2J\u001b[1;1H";

    /// <summary>The alternate screen, cleared. What was on the screen before comes back with <see cref="FullScreenOff"/>.</summary>
    public const string FullScreenOn = "\u001b[?1049h\u001b[2J" + PasteOn;

    /// <summary>Ends <see cref="FullScreenOn"/>: the colours and the cursor are as before.</summary>
    public const string FullScreenOff = PasteOff + "\u001b[0m\u001b[?25h\u001b[?1049l";
}
