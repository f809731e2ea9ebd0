using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Simulation;

/// <summary>A member of a room of the world.</summary>
/// <param name="session">Its session.</param>
/// <param name="number">The number of the membership, which is never used again.</param>
internal sealed class ChatMember(Session session, int number) : RoomMember(session)
{
    internal int Number => number;
}
