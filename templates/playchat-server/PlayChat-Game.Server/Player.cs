using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat_Game.Server;

/// <summary>What a member is to the lobby. For the room's turn alone.</summary>
internal sealed class Player(Session session, string name) : RoomMember(session)
{
    public string Name { get; } = name;
}
