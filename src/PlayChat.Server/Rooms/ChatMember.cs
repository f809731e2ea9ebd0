using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;

namespace PlayChat.Server.Rooms;

/// <summary>A member of a chat room, here or away. Only the room's turn uses it.</summary>
/// <param name="session">The session of a logged-in player.</param>
/// <param name="request">The request to create or to join the room, which the room answers when the player is a member.</param>
internal sealed class ChatMember(Session session, PacketContext request) : RoomMember(session)
{
    public PacketContext Request => request;

    /// <summary>The player as clients see it. Shared: never changed.</summary>
    public Member Shown { get; } = new() { PlayerId = session.User!.Id, Name = session.User.Name };

    /// <summary>The messages that the player has sent lately.</summary>
    public RecentMessages Recent { get; set; } = null!; // set when the player enters

    /// <summary>
    /// The sequence after which the room sends everything when the member returns; <see langword="null"/> for the room's state instead.
    /// </summary>
    public long? ReplayAfter { get; set; }
}
