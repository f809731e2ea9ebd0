using System.Text;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>A room whose protected members a test's jobs may call.</summary>
internal sealed class TestRoom(RoomContext context) : PlainRoom(context)
{
    internal List<Session> Lost { get; } = [];

    /// <summary>A harness with such a room.</summary>
    internal static Task<RoomHarness<TestRoom>> StartAsync(Action<PlayChatServer>? configure = null) =>
        HarnessSteps.StartAsync(static context => new TestRoom(context), configure);

    internal new JoinStatus Join(Session session) => base.Join(session).Status;

    internal new bool Leave(Session session) => base.Leave(session);

    internal new void Remove() => base.Remove();

    internal void Broadcast(ReadOnlySpan<byte> body, FrameHeader header = default, Delivery delivery = default) =>
        base.Broadcast(body, header, delivery);

    internal void Broadcast(string text, Delivery delivery = default) => Broadcast(Encoding.Latin1.GetBytes(text), default, delivery);

    internal void BroadcastExcept(Session except, string text, Delivery delivery = default) =>
        Broadcast(default, text.Length, text, static (destination, t) => Encoding.Latin1.GetBytes(t, destination), delivery, except);

    internal void BroadcastExcept(Session except, byte[] body, Delivery delivery) => Broadcast(body, default, delivery, except);

    internal void BroadcastTo(ReadOnlySpan<Session> to, byte[] body, Delivery delivery) => BroadcastTo(to, body, default, delivery);

    internal void BroadcastTo(ReadOnlySpan<Session> to, string text, Delivery delivery = default) =>
        BroadcastTo(to, default, text.Length, text, static (destination, t) => Encoding.Latin1.GetBytes(t, destination), delivery);

    internal void BroadcastBadly() => Broadcast(default, 10, 0, static (_, _) => throw new InvalidOperationException("A writer's fault."));

    internal bool Send(Session to, string text, Delivery delivery = default) =>
        Send(to, default, text.Length, text, static (destination, t) => Encoding.Latin1.GetBytes(t, destination), delivery);

    protected override void OnLeave(RoomMember member, LeaveReason reason)
    {
        if (reason == LeaveReason.SessionEnded)
        {
            Lost.Add(member.Session);
        }
    }
}
