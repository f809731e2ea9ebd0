using System.Text;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using Harness = PlayChat.Testing.RoomHarness<PlayChat.Core.Tests.Rooms.TestRoom>;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>What a user of rooms sees, by what a user has: a whole server, and PlayChat.Testing.</summary>
public sealed class RoomMembershipTests
{
    [Fact]
    public async Task A_broadcast_reaches_exactly_those_who_were_members_at_that_moment()
    {
        await using Harness harness = await StartAsync();
        HarnessClient[] members = [await EnterAsync(harness), await EnterAsync(harness)];
        HarnessClient late = await harness.ConnectAsync();

        await InTurnAsync(harness, room =>
        {
            room.Broadcast("a");
            room.Enter(late.Session);
            room.Broadcast("b");
            room.Leave(members[0].Session);
            room.Broadcast("c");
        });

        Assert.Equal(["a", "b"], Heard(members[0]));
        Assert.Equal(["a", "b", "c"], Heard(members[1]));
        Assert.Equal(["b", "c"], Heard(late));
    }

    [Fact]
    public async Task A_reply_to_a_session_that_is_no_member_goes_out_with_the_turn()
    {
        await using Harness harness = await StartAsync();
        HarnessClient stranger = await harness.ConnectAsync();

        await InTurnAsync(harness, room => room.Send(stranger.Session, "no"));

        Assert.Equal(["no"], Heard(stranger));
    }

    [Fact]
    public async Task A_posted_frame_goes_to_every_member_by_default()
    {
        await using Harness harness = await StartAsync();
        HarnessClient[] members = [await EnterAsync(harness), await EnterAsync(harness)];
        HarnessClient outside = await harness.ConnectAsync();

        members[0].SendFrame("hello"u8, new FrameHeader(7));
        outside.SendFrame("all"u8, new FrameHeader(8));
        await harness.IdleAsync();

        Assert.All(members, static member => Assert.Equal([7, 8], member.Frames.Select(static frame => (int)frame.Header.PacketId).Order()));
        Assert.Empty(outside.Frames);
    }

    [Fact]
    public async Task Enter_says_why_not()
    {
        await using Harness harness = await StartAsync();
        HarnessClient member = await EnterAsync(harness);
        HarnessClient ended = await harness.ConnectAsync();
        HarnessClient late = await harness.ConnectAsync();
        ended.Break();
        await harness.IdleAsync();
        List<object> results = [];

        await InTurnAsync(harness, room =>
        {
            results.Add(room.Enter(member.Session));
            results.Add(room.Enter(ended.Session));
            results.Add(room.Leave(ended.Session));
            room.Remove();
            results.Add(room.Enter(late.Session));
        });

        Assert.Equal([EnterResult.AlreadyMember, EnterResult.SessionEnded, false, EnterResult.Removed], results);
    }

    [Fact]
    public async Task A_member_whose_link_breaks_is_lost_and_one_that_has_left_before_is_not()
    {
        await using Harness harness = await StartAsync();
        HarnessClient lost = await EnterAsync(harness);
        HarnessClient left = await EnterAsync(harness);

        await InTurnAsync(harness, room => room.Leave(left.Session));
        left.Break();
        lost.Break();
        await harness.IdleAsync();

        await InTurnAsync(harness, room => Assert.Equal([lost.Session], room.Lost));
        Assert.Equal(0, harness.Room.MemberCount);
    }

    private static Task<Harness> StartAsync() => PlayChat.Testing.RoomHarness.StartAsync(static context => new TestRoom(context));

    private static async Task<HarnessClient> EnterAsync(Harness harness)
    {
        HarnessClient client = await harness.ConnectAsync();
        await InTurnAsync(harness, room => Assert.Equal(EnterResult.Entered, room.Enter(client.Session)));
        return client;
    }

    private static async Task InTurnAsync(Harness harness, Action<TestRoom> job)
    {
        await harness.Room.RequestAsync(room =>
        {
            job(room);
            return true;
        });
        await harness.IdleAsync();
    }

    private static string[] Heard(HarnessClient client) => [.. client.Frames.Select(static frame => Encoding.Latin1.GetString(frame.Body.Span))];
}
