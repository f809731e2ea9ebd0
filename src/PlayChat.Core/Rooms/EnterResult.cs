namespace PlayChat.Core.Rooms;

/// <summary>Whether a session became a member of a room.</summary>
public enum EnterResult
{
    /// <summary>It is one now.</summary>
    Entered = 0,

    /// <summary>It was one already.</summary>
    AlreadyMember = 1,

    /// <summary>The room has <see cref="RoomOptions.MaxMembers"/>.</summary>
    Full = 2,

    /// <summary>The room was removed.</summary>
    Removed = 3,

    /// <summary>The session has ended.</summary>
    SessionEnded = 4,
}
