using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Recording.Tests;

internal sealed class Shopper(Session session, string name) : RoomMember(session)
{
    internal string Name => name;

    internal int Total { get; set; }
}
