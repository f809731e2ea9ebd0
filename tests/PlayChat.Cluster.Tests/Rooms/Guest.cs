using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>A member, with the number of times that it has spoken.</summary>
internal sealed class Guest(Session session, string name, int score) : RoomMember(session)
{
    public string Name => name;

    public int Score { get; set; } = score;
}
