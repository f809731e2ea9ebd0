namespace PlayChat.Client.Screens;

/// <summary>How the user left a room.</summary>
internal enum RoomExit
{
    /// <summary>Back to the menu.</summary>
    ToMenu,

    /// <summary>Out of the program.</summary>
    Quit,
}
