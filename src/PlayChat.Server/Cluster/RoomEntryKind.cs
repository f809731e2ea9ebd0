namespace PlayChat.Server.Cluster;

/// <summary>What a record in the cluster's log says. The numbers are stored.</summary>
internal enum RoomEntryKind : byte
{
    /// <summary>A player said something.</summary>
    Chat = 1,

    /// <summary>A player is a member, through the session that the entry names.</summary>
    Joined = 2,

    /// <summary>A player is no member any more, if it still was one through the session that the entry names.</summary>
    Left = 3,

    /// <summary>The session that the entry names has been taken over by a session on another node.</summary>
    Kick = 4,

    /// <summary>Nothing: the node that has published it learns where the log is.</summary>
    Mark = 5,
}
