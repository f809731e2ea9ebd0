using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>What a user of rooms sees, by what a user has: a whole server, and PlayChat.Testing.</summary>
public sealed class RoomMembershipTests
{
    [Fact]
    public async Task A_broadcast_reaches_exactly_those_who_were_members_at_that_moment()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        HarnessClient[] members = await harness.EnterAsync(2);
        HarnessClient late = await harness.ConnectAsync();

        await harness.InTurnAsync(room =>
        {
            room.Broadcast("a");
            room.Join(late.Session);
            room.Broadcast("b");
            room.Leave(members[0].Session);
            room.Broadcast("c");
        });

        Assert.Equal(["a", "b"], members[0].Texts());
        Assert.Equal(["a", "b", "c"], members[1].Texts());
        Assert.Equal(["b", "c"], late.Texts());
    }

    [Fact]
    public async Task A_reply_to_a_session_that_is_no_member_goes_out_with_the_turn()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        HarnessClient stranger = await harness.ConnectAsync();

        await harness.InTurnAsync(room => room.Send(stranger.Session, "no"));

        Assert.Equal(["no"], stranger.Texts());
    }

    [Fact]
    public async Task A_posted_frame_goes_to_every_member_by_default()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        HarnessClient[] members = await harness.EnterAsync(2);
        HarnessClient outside = await harness.ConnectAsync();

        members[0].Send("hello"u8, new FrameHeader(7));
        outside.Send("all"u8, new FrameHeader(8));
        await harness.IdleAsync();

        Assert.All(
            members, static member => Assert.Equal([7, 8], member.Frames.Select(static frame => (int)frame.Header.PacketId).Order()));
        Assert.Empty(outside.Frames);
    }

    [Fact]
    public async Task Enter_says_why_not()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        HarnessClient member = (await harness.EnterAsync(1))[0];
        HarnessClient ended = await harness.ConnectAsync();
        HarnessClient late = await harness.ConnectAsync();
        ended.Break();
        await harness.IdleAsync();
        List<object> results = [];

        await harness.InTurnAsync(room =>
        {
            results.Add(room.Join(member.Session));
            results.Add(room.Join(ended.Session));
            results.Add(room.Leave(ended.Session));
            room.Remove();
            results.Add(room.Join(late.Session));
        });

        Assert.Equal([JoinStatus.AlreadyMember, JoinStatus.SessionEnded, false, JoinStatus.Removed], results);
    }

    [Fact]
    public async Task A_member_whose_link_breaks_is_lost_and_one_that_has_left_before_is_not()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        HarnessClient lost = (await harness.EnterAsync(1))[0];
        HarnessClient left = (await harness.EnterAsync(1))[0];

        await harness.InTurnAsync(room => room.Leave(left.Session));
        left.Break();
        lost.Break();
        await harness.IdleAsync();

        await harness.InTurnAsync(room => Assert.Equal([lost.Session], room.Lost));
        Assert.Equal(0, harness.Room.MemberCount);
    }
}
