using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Rooms;

/// <summary>A session of a player in a chat room, here or away. Only the room's turn uses it.</summary>
internal sealed class ChatMember(Session session, RoomJoin join, RoomPlayer player) : RoomMember(session)
{
    public PacketContext Request => join.Request;

    public RoomPlayer Player => player;

    /// <inheritdoc cref="RoomJoin.UnreadMentions"/>
    public int UnreadMentions => join.UnreadMentions;

    /// <inheritdoc cref="RoomPlayer.Shown"/>
    public Member Shown => player.Shown;

    /// <summary>Whether another node had the player before. That node may have known other members, if one has died between the directory
    /// and the log.</summary>
    public bool IsFromElsewhere { get; set; } = join.ReplayAfter is not null;

    /// <inheritdoc cref="RoomJoin.ReplayAfter"/>
    public long? ReplayAfter { get; set; } = join.ReplayAfter;
}
