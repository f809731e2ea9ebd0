namespace PlayChat.Chat.Cluster;

/// <summary>The kind of a record in the cluster's log. The numbers are stored.</summary>
internal enum RoomEntryKind : byte
{
    /// <summary>A player said something.</summary>
    Chat = 1,

    /// <summary>A player is a member, also through the session that the entry names. The text is the room's name.</summary>
    Joined = 2,

    /// <summary>A player is no member any more through the session that the entry names. With a text, it has left for good, with all
    /// its sessions.</summary>
    Left = 3,

    /// <summary>The session that the entry names has been taken over by a newer one of its player.</summary>
    Kick = 4,

    /// <summary>Changes nothing. By reading it back, the node that published it learns the log's present position.</summary>
    Mark = 5,

    /// <summary>An operator tells something to the members of a room, or without a room to all players.</summary>
    Notice = 6,

    /// <summary>An operator of another node tells something to the player of the session that the entry names.</summary>
    SessionNotice = 7,

    /// <summary>Another node closes the session that the entry names; with a token, only if that is its login token's id.</summary>
    SessionClose = 8,

    /// <summary>A player sends a direct message to the player of the session that the entry names.</summary>
    DirectChat = 9,

    /// <summary>A player has changed a message of its own. In place of the session, the entry has the message's sequence.</summary>
    Edited = 10,

    /// <summary>A player is writing.</summary>
    Typing = 11,

    /// <summary>A player has reacted to a message, whose sequence the entry has in place of the session.</summary>
    Reacted = 12,

    /// <summary>A player has taken a reaction back. As <see cref="Reacted"/>.</summary>
    Unreacted = 13,

    /// <summary>A moderator has changed something about the player that the entry names, or about the room.</summary>
    Moderated = 14,

    /// <summary>A player has reported a message. Moderators hear it.</summary>
    Reported = 15,

    /// <summary>A player continues a session of another node here. The text is the hash of that session's resume token.</summary>
    Continued = 16,

    /// <summary>The player of the session that the entry names has sent a direct message on another node to the player that the entry
    /// names. All devices of the node hear it.</summary>
    DirectSent = 17,

    /// <summary>A player has read the room up to the message whose sequence the entry has in place of the session. It concerns the nodes
    /// that serve the player.</summary>
    Read = 18,
}
