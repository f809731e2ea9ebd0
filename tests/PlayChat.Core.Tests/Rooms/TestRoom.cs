using System.Text;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>A room whose protected members a test's jobs may call.</summary>
internal sealed class TestRoom(RoomContext context) : Room(context)
{
    internal List<Session> Lost { get; } = [];

    internal new EnterResult Enter(Session session) => base.Enter(session);

    internal new bool Leave(Session session) => base.Leave(session);

    internal new bool Contains(Session session) => base.Contains(session);

    internal new void Remove() => base.Remove();

    internal new void Broadcast(ReadOnlySpan<byte> body, FrameHeader header = default) => base.Broadcast(body, header);

    internal void Broadcast(string text) => Broadcast(Encoding.Latin1.GetBytes(text));

    internal void BroadcastBadly() => Broadcast(default, 10, 0, static (_, _) => throw new InvalidOperationException("A writer's fault."));

    internal bool Send(Session to, string text) =>
        Send(to, default, text.Length, text, static (destination, t) => Encoding.Latin1.GetBytes(t, destination));

    protected override void OnMemberLost(Session member) => Lost.Add(member);
}
