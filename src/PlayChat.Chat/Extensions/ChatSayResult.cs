namespace PlayChat.Chat.Extensions;

/// <summary>What came of <see cref="IChatRooms.SayAsync"/>.</summary>
public enum ChatSayResult
{
    /// <summary>It has its place in the room, or had it before.</summary>
    Said = 0,

    /// <summary>There is no such room here.</summary>
    NoSuchRoom = 1,

    /// <summary>The text is empty or too long.</summary>
    TextInvalid = 2,

    /// <summary>No account may have the name.</summary>
    NameInvalid = 3,

    /// <summary>The chat log has no space, or this node does not reach the other nodes. Try again later, with the same number.</summary>
    Unavailable = 4,
}
