namespace PlayChat.Server.Rooms;

/// <summary>What happened in a room.</summary>
internal enum RoomEventKind
{
    /// <summary>A player said something.</summary>
    Chat,

    /// <summary>A player came.</summary>
    Join,

    /// <summary>A player went: SYSTEM says so.</summary>
    Leave,
}
