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

    /// <summary>Until it has seen an event after this one, the member may know other members than the room has. Without a bound at first
    /// where another node had the player: that one may have known others, if a node has died between the directory and the log.</summary>
    public long UnsureThrough { get; set; } = join.ReplayAfter is null ? -1 : long.MaxValue;

    /// <inheritdoc cref="RoomJoin.ReplayAfter"/>
    public long? ReplayAfter { get; set; } = join.ReplayAfter;
}
