using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Rooms;

/// <summary>A member of a chat room, here or away. Only the room's turn uses it.</summary>
/// <param name="session">The session of a logged-in player.</param>
/// <param name="join">How it enters.</param>
internal sealed class ChatMember(Session session, RoomJoin join) : RoomMember(session)
{
    public PacketContext Request => join.Request;

    /// <summary>The player as clients see it. Shared: never changed.</summary>
    public Member Shown { get; } = new() { PlayerId = session.User!.Id, Name = session.User.Name };

    /// <inheritdoc cref="RoomJoin.ReplayAfter"/>
    public long? ReplayAfter { get; set; } = join.ReplayAfter;
}
