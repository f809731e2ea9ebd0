using System.Text;
using PlayChat.Core.Connections;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>A room that notes what becomes of its members, and tells a member that returns so.</summary>
internal sealed class AwayRoom(RoomContext context) : Room<TestMember>(context)
{
    /// <summary>The hooks that were called, in order. For the turn, or when the room is at rest.</summary>
    internal List<string> Hooks { get; } = [];

    /// <summary>Whether a member that becomes away is removed at once.</summary>
    internal bool SendsAway { get; set; }

    /// <summary>The hook that throws, by its name.</summary>
    internal string? Faulty { get; set; }

    internal new RoomMembers<TestMember> Members => base.Members;

    internal new bool Leave(Session session) => base.Leave(session);

    internal new void Remove() => base.Remove();

    internal void Broadcast(string text, Delivery delivery = default) => Broadcast(Encoding.Latin1.GetBytes(text), default, delivery);

    internal void BroadcastExcept(Session except, string text) =>
        Broadcast(Encoding.Latin1.GetBytes(text), except: except);

    internal void BroadcastTo(ReadOnlySpan<Session> to, string text) => BroadcastTo(to, Encoding.Latin1.GetBytes(text));

    internal bool Send(Session to, string text) =>
        Send(to, default, text.Length, text, static (destination, t) => Encoding.Latin1.GetBytes(t, destination));

    protected override JoinDecision<TestMember> OnJoining(Session session) => new TestMember(session, argument: null);

    protected override void OnAway(TestMember member)
    {
        Assert.True(member.IsAway);
        if (SendsAway)
        {
            Leave(member.Session);
        }

        Note("away");
    }

    protected override void OnReturn(TestMember member)
    {
        Assert.False(member.IsAway);
        Send(member.Session, member.IsRecovered ? $"{Name}: recovered" : $"{Name}: back");
        Note("return");
    }

    protected override void OnLeave(TestMember member, LeaveReason reason) => Note($"leave {reason}");

    private void Note(string hook)
    {
        Hooks.Add(hook);
        if (hook == Faulty)
        {
            throw new InvalidOperationException($"A fault in {hook}.");
        }
    }
}
