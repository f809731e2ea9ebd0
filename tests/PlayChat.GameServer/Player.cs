using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.GameServer;

internal sealed class Player(Session session, string name) : RoomMember(session)
{
    public string Name => name;
}
