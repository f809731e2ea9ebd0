namespace PlayChat.Cluster.Directory;

/// <summary>The result of a join (<see cref="IClusterDirectory.JoinAsync"/>). The numbers are stable.</summary>
public enum JoinOutcome
{
    /// <summary>The user is a new member; or the same session has joined before, and the answer may have been lost.</summary>
    Joined = 0,

    /// <summary>The user was a member with another session. The membership now belongs to the joining session; it counts once.</summary>
    Moved = 1,

    /// <summary>The room is full. Nothing was changed.</summary>
    Full = 2,
}
