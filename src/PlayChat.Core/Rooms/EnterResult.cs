namespace PlayChat.Core.Rooms;

/// <summary>Whether a session became a member of a room.</summary>
public enum EnterResult
{
    /// <summary>It is one now.</summary>
    Entered = 0,

    /// <summary>It was one already.</summary>
    AlreadyMember = 1,

    /// <summary>The room has all the members it takes.</summary>
    Full = 2,

    /// <summary>The room was removed.</summary>
    Removed = 3,

    /// <summary>The session has ended.</summary>
    SessionEnded = 4,

    /// <summary>The room is locked.</summary>
    Locked = 5,

    /// <summary>The room has a password, and another one was given, or none.</summary>
    WrongPassword = 6,

    /// <summary>The room's own decision.</summary>
    Refused = 7,
}
