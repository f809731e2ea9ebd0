namespace PlayChat.Core.Rooms;

/// <summary>Why a membership ended.</summary>
public enum LeaveReason
{
    /// <summary>It was asked for: <see cref="Room{TMember}.LeaveAsync"/>.</summary>
    Left = 0,

    /// <summary>The session has ended.</summary>
    SessionEnded = 1,

    /// <summary>The room itself ended it.</summary>
    Expelled = 2,

    /// <summary>The room has ended.</summary>
    RoomRemoved = 3,
}
