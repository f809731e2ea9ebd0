using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.AspNetCore.Tests;

/// <summary>A room whose protected members a test's jobs may call.</summary>
internal sealed class OpenRoom(RoomContext context) : Room<RoomMember>(context)
{
    internal void Add(Session session) => Join(session);

    internal void Tell(byte[] body) => Broadcast(body);

    protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);
}
