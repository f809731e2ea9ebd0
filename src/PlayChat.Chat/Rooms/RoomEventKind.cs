namespace PlayChat.Chat.Rooms;

/// <summary>What happened in a room.</summary>
internal enum RoomEventKind
{
    /// <summary>A player said something.</summary>
    Chat,

    /// <summary>A player joined.</summary>
    Join,

    /// <summary>A player left. Members get it as a message of SYSTEM.</summary>
    Leave,
}
