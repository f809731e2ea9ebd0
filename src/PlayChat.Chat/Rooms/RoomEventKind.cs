namespace PlayChat.Chat.Rooms;

/// <summary>What happened in a room.</summary>
internal enum RoomEventKind
{
    /// <summary>A player said something.</summary>
    Chat,

    /// <summary>A player joined.</summary>
    Join,

    /// <summary>A player is no member any more. Members get it as a message of SYSTEM.</summary>
    Leave,

    /// <summary>A member of a room that lasts has gone offline. As <see cref="Leave"/>, but it is not kept.</summary>
    Away,

    /// <summary>A moderator has changed something about a player or the room. Members get it as a message of SYSTEM.</summary>
    Notice,

    /// <summary>A message got another text, or was deleted.</summary>
    Edit,

    /// <summary>A player has reacted to a message.</summary>
    React,

    /// <summary>A player has taken its reaction to a message back.</summary>
    Unreact,
}
