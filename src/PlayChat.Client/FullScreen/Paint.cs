namespace PlayChat.Client.FullScreen;

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
