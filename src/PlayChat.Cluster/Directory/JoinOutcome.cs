namespace PlayChat.Cluster.Directory;

/// <summary>The result of a join (<see cref="IClusterDirectory.JoinAsync"/>). The numbers are stable.</summary>
public enum JoinOutcome
{
    /// <summary>The user is a member through the session.</summary>
    Joined = 0,

    /// <summary>The room is full. Nothing was changed.</summary>
    Full = 1,
}
