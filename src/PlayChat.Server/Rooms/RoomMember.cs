using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Sessions;

namespace PlayChat.Server.Rooms;

/// <summary>A member of a room, here or away. For the room's turn alone.</summary>
internal sealed class RoomMember(Presence presence, Session session, RecentMessages recent)
{
    public Presence Presence { get; } = presence;

    /// <summary>As the others see it. Shared: never changed.</summary>
    public Member Shown { get; } = new() { PlayerId = presence.User.Id, Name = presence.User.Name };

    /// <summary>What it has said lately.</summary>
    public RecentMessages Recent { get; } = recent;

    /// <summary>Where the room's packets go; <see langword="null"/> while the member is away.</summary>
    public Session? Session { get; set; } = session;
}
