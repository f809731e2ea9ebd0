namespace PlayChat.Client.Interaction;

/// <summary>What a line is about, which decides how and where it is shown.</summary>
internal enum LineKind
{
    Info, // an answer to what the user did
    Hint, // help for a person in front of the screen; a script has no use for it
    Title, // the name of what comes below
    Unread, // the mark between what the user has seen and what is new
    Warning, // something failed; the user can continue
    Error, // something failed, and without a person to ask it is the end
    Chat,
    OwnChat, // what the user said, as it came back from the room
    Direct, // what one player says to another one alone
    Event, // a player joined or left, or the server speaks
}
