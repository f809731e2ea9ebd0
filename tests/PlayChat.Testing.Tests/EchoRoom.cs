using PlayChat.Core;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Testing.Tests;

/// <summary>A room that lets in whoever sends something, and tells everybody.</summary>
internal sealed class EchoRoom(RoomContext context) : Room<RoomMember>(context)
{
    internal List<CloseReason> Lost { get; } = [];

    internal bool IsOver { get; private set; }

    internal void End() => Remove();

    protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

    protected override void OnFrame(Session from, FrameHeader header, ReadOnlySpan<byte> body)
    {
        _ = Join(from);
        Broadcast(body, header);
    }

    protected override void OnDispose() => IsOver = true;

    protected override void OnLeave(RoomMember member, LeaveReason reason)
    {
        if (reason == LeaveReason.SessionEnded)
        {
            Lost.Add(member.Session.Connection.CloseReason);
        }
    }
}
