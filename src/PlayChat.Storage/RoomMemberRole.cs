namespace PlayChat.Storage;

/// <summary>The role of a player in a room. The numbers are stored.</summary>
public enum RoomMemberRole
{
    /// <summary>It is no member.</summary>
    None = 0,

    /// <summary>A member.</summary>
    Member = 1,

    /// <summary>A member that moderates the room.</summary>
    Moderator = 2,

    /// <summary>A member that owns the room.</summary>
    Owner = 3,
}
