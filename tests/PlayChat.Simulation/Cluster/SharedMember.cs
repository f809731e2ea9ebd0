using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Simulation.Cluster;

/// <summary>A member of a room of the cluster.</summary>
/// <param name="session">Its session, or what stands for it at the owner.</param>
/// <param name="number">The number of the membership, which is never used again.</param>
internal sealed class SharedMember(Session session, int number) : RoomMember(session)
{
    internal int Number => number;
}
