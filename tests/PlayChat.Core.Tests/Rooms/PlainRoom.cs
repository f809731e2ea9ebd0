using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>The base of rooms whose members need no state.</summary>
internal abstract class PlainRoom(RoomContext context) : Room<RoomMember>(context)
{
    protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);
}
