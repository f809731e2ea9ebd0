namespace PlayChat.Client.FullScreen;

/// <summary>How a cell looks.</summary>
internal enum Paint
{
    /// <summary>The terminal's own colours.</summary>
    Normal,

    /// <summary>Times, events and other things of less weight.</summary>
    Dim,

    /// <summary>Titles, and the user in the list of members.</summary>
    Bold,

    /// <summary>The title bar, the status bar and the active room.</summary>
    Bar,

    /// <summary>A warning, or a connection that is being made again, in the status bar.</summary>
    BarWarning,

    /// <summary>Something did not work.</summary>
    Warning,

    /// <summary>Something did not work and needs a decision; the mark before unread messages.</summary>
    Alert,

    /// <summary>The user's own name before a message.</summary>
    Own,

    /// <summary>What a search has found.</summary>
    Match,

    /// <summary>A message that names the user, and a room with such messages that are unread.</summary>
    Mention,

    /// <summary>The first of the colours of speakers; five more follow it.</summary>
    Speaker,
}
