namespace PlayChat.Client.Interaction;

/// <summary>A user interface that shows several rooms, between which the user switches.</summary>
/// <remarks>Thread-safe. What is written without a room appears in the one that the user looks at.</remarks>
internal interface IRoomsUserInterface : IUserInterface
{
    /// <summary>Waits for what the user enters or wants next.</summary>
    /// <returns>Null at the end of the input.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    Task<RoomInput?> ReadInputAsync(CancellationToken cancellationToken);

    /// <summary>Shows a room and switches to it. What was written to it before comes after its history.</summary>
    void OpenRoom(long roomId, string name, IReadOnlyList<ScreenLine> history);

    /// <summary>Switches to a room.</summary>
    void SwitchTo(long roomId);

    /// <summary>Takes a room off the list.</summary>
    void CloseRoom(long roomId);

    /// <summary>Shows a line in a room, which need not be open yet.</summary>
    void Write(long roomId, ScreenLine line);

    /// <summary>Shows lines before all others of a room.</summary>
    void WriteEarlier(long roomId, IReadOnlyList<ScreenLine> lines);

    /// <summary>Puts the mark for unread messages behind the last line of a room.</summary>
    void MarkUnread(long roomId);

    /// <summary>Shows the members of a room.</summary>
    void ShowMembers(long roomId, IReadOnlyList<string> names);

    /// <summary>Says which rooms there are, for completion.</summary>
    void KnowRooms(IReadOnlyList<string> names);

    /// <summary>Says which players there are besides the members of rooms, for completion.</summary>
    void KnowPlayers(IReadOnlyList<string> names);

    /// <summary>Shows the user's name.</summary>
    void ShowPlayer(string name);

    /// <summary>Shows the state of the connection.</summary>
    void ShowLink(LinkState state);
}
