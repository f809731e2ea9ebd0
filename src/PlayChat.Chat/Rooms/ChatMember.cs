using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Rooms;

/// <summary>A member of a chat room, here or away. Only the room's turn uses it.</summary>
/// <param name="session">The session of a logged-in player.</param>
/// <param name="join">How it enters.</param>
/// <param name="role">What it may do.</param>
internal sealed class ChatMember(Session session, RoomJoin join, RoomRole role) : RoomMember(session)
{
    public PacketContext Request => join.Request;

    /// <summary>The player as clients see it. Shared: replaced, never changed.</summary>
    public Member Shown { get; set; } = new() { PlayerId = session.User!.Id, Name = session.User.Name, Role = role };

    /// <summary>What the members hear when it leaves for good; <see langword="null"/> while it has not asked to, and was not told
    /// to.</summary>
    public string? Farewell { get; set; }

    /// <summary>When it was said last that it is writing, as a timestamp; 0 for never.</summary>
    public long TypedAt { get; set; }

    /// <inheritdoc cref="RoomJoin.ReplayAfter"/>
    public long? ReplayAfter { get; set; } = join.ReplayAfter;
}
