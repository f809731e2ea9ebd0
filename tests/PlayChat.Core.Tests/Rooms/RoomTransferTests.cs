using System.Text;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>A room hands members over.</summary>
public sealed class RoomTransferTests
{
    [Fact]
    public async Task Members_that_are_handed_over_leave_and_others_are_left_out()
    {
        await using RoomHarness<Lobby> harness = await HarnessSteps.StartAsync(static context => new Lobby(context));
        HarnessClient ann = await harness.ConnectAsync();
        HarnessClient bob = await harness.ConnectAsync();
        HarnessClient eve = await harness.ConnectAsync();
        await harness.Room.JoinAsync(ann.Session);
        await harness.Room.JoinAsync(bob.Session);

        harness.Room.Post(room => room.HandOver(ann.Session, eve.Session));
        await harness.IdleAsync();

        Assert.Equal([(ann.Session, LeaveReason.Transferred)], harness.Room.Left);
        Assert.Equal("state", Assert.Single(harness.Room.Taken).State);
        Assert.Equal([ann.Session], harness.Room.Taken[0].Sessions);
        Assert.Equal(1, harness.Room.MemberCount);
    }

    private sealed class Lobby(RoomContext context) : Room<RoomMember>(context)
    {
        internal List<(Session, LeaveReason)> Left { get; } = [];

        internal List<(IReadOnlyList<Session> Sessions, string State)> Taken { get; } = [];

        internal void HandOver(params Session[] sessions) => Transfer(sessions, "state"u8);

        protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

        protected override void OnLeave(RoomMember member, LeaveReason reason) => Left.Add((member.Session, reason));

        protected override void OnTransferred(IReadOnlyList<Session> sessions, ReadOnlySpan<byte> state) =>
            Taken.Add((sessions, Encoding.UTF8.GetString(state)));
    }
}
