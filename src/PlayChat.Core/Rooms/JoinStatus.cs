namespace PlayChat.Core.Rooms;

/// <summary>Says whether a session became a member of a room, and if not, why.</summary>
public enum JoinStatus
{
    /// <summary>The session is a member now.</summary>
    Joined = 0,

    /// <summary>The session was a member already.</summary>
    AlreadyMember = 1,

    /// <summary>The room has no free seat, or no free place for a spectator.</summary>
    Full = 2,

    /// <summary>The room was removed.</summary>
    Removed = 3,

    /// <summary>The session has ended.</summary>
    SessionEnded = 4,

    /// <summary>The room is locked.</summary>
    Locked = 5,

    /// <summary>The room has a password, and the given one is wrong or missing.</summary>
    WrongPassword = 6,

    /// <summary>The room refused the session.</summary>
    Refused = 7,

    /// <summary>The session has reached its limit of rooms (<see cref="RoomOptions.MaxRoomsPerSession"/>).</summary>
    TooManyRooms = 8,

    /// <summary>
    /// The room is shared by a cluster, and its owner did not answer in time (<c>RoomClusterOptions.AnswerTimeout</c>), or the server has
    /// lost its place in the cluster. The session may try again.
    /// </summary>
    Unavailable = 9,
}
