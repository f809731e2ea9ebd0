namespace PlayChat.Core.Rooms;

/// <summary>The reason why a membership ended.</summary>
public enum LeaveReason
{
    /// <summary>The application called <see cref="MemberRoom{TMember}.LeaveAsync"/>.</summary>
    Left = 0,

    /// <summary>The session has ended.</summary>
    SessionEnded = 1,

    /// <summary>The room itself removed the member.</summary>
    Expelled = 2,

    /// <summary>The room has ended.</summary>
    RoomRemoved = 3,

    /// <summary>The member's node of the cluster was lost (<see cref="RoomSettings.IsClustered"/>).</summary>
    NodeLost = 4,

    /// <summary>The room has handed the session over (<see cref="Room.Transfer"/>), for example to another room.</summary>
    Transferred = 5,
}
