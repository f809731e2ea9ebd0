namespace PlayChat.Client.FullScreen;

/// <summary>The sequences that make cells look like their <see cref="Paint"/>.</summary>
internal static class Palette
{
    // Cyan, magenta, blue and their light forms: what neither says "own" nor "warning", and is seen on dark and light alike.
    private static readonly string[] s_speakers = ["36", "35", "34", "96", "95", "94"];

    /// <summary>The colour of a speaker; the same name has the same colour in every run.</summary>
    public static Paint OfSpeaker(string name) => Paint.Speaker + (name.Sum(static c => c) % s_speakers.Length);

    /// <summary>The sequence that switches to a paint from any other.</summary>
    /// <param name="usesColors">False leaves bold, dim and reversed.</param>
    public static string Sequence(Paint paint, bool usesColors)
    {
        string attributes = paint switch
        {
            Paint.Dim => ";2",
            Paint.Bold => ";1",
            Paint.Bar => ";7",
            Paint.BarWarning => usesColors ? ";7;33" : ";7;1",
            Paint.Warning => usesColors ? ";33" : "",
            Paint.Alert => usesColors ? ";31" : ";1",
            Paint.Own => usesColors ? ";1;32" : ";1",
            Paint.Match => usesColors ? ";30;43" : ";7",
            Paint.Mention => usesColors ? ";1;35" : ";1",
            >= Paint.Speaker => usesColors ? ";" + s_speakers[paint - Paint.Speaker] : "",
            _ => "",
        };
        return $"\u001b[0{attributes}m";
    }
}

internal enum Paint
{
    Normal, // the terminal's own colours
    Dim, // times, events and other things of less weight
    Bold, // titles, and the user in the list of members
    Bar, // the title bar, the status bar and the active room
    BarWarning, // in the status bar: a connection that is being made again
    Warning, // something did not work
    Alert, // something did not work and needs a decision; the mark before unread messages
    Own, // the user's own name before a message
    Match, // what a search has found
    Mention, // a message that names the user, and a room with such messages that are unread
    Speaker, // the first of the colours of speakers; five more follow it
}
