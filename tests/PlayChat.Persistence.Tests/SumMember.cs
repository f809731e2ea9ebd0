using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Persistence.Tests;

public sealed class SumMember(Session session, string color) : RoomMember(session)
{
    public string Color { get; } = color;
}
