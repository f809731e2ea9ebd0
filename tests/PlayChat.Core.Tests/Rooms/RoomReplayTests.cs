using System.Text;
using PlayChat.Core.Connections;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>Frames that a room keeps for a member that is away, and what it says at the member's return.</summary>
public sealed class RoomReplayTests
{
    [Fact]
    public async Task A_member_gets_all_that_was_for_it_in_order_before_the_hook()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient ann, byte[] token) = await harness.JoinAsync("ann");
        (HarnessClient bob, _) = await harness.JoinAsync("bob");
        await harness.InTurnAsync(static room => room.Broadcast("before"));
        await harness.BreakAsync(ann);

        await harness.InTurnAsync(room =>
        {
            room.Broadcast("1");
            room.BroadcastExcept(ann.Session, "not for ann");
            room.Send(ann.Session, "2");
            room.BroadcastTo([ann.Session, bob.Session, ann.Session], "3");
            room.BroadcastExcept(bob.Session, "4");
            room.Broadcast("5");
        });
        await harness.InTurnAsync(static room => room.Broadcast("6"));
        (HarnessClient returned, _) = await harness.ResumeAsync(token, framesReceived: ann.Connection.FramesReceived);
        await harness.InTurnAsync(static room => room.Broadcast("7"));

        Assert.Equal(["before"], ann.Texts());
        Assert.Equal(["1", "2", "3", "3", "4", "5", "6", "room: recovered", "7"], returned.Texts());
        Assert.Equal(["before", "1", "not for ann", "3", "5", "6", "7"], bob.Texts());
    }

    [Fact]
    public async Task What_is_broadcast_in_the_turn_of_the_return_before_it_is_replayed()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient ann, byte[] token) = await harness.JoinAsync("ann");
        await harness.BreakAsync(ann);

        (HarnessClient returned, _) = await harness.ResumeAsync(
            token,
            async _ => await harness.Room.RunAsync(static room => room.Broadcast("during the welcome")),
            ann.Connection.FramesReceived);

        Assert.Equal(["during the welcome", "room: recovered"], returned.Texts());
    }

    [Theory]
    [InlineData(null)]
    [InlineData(0L)]
    [InlineData(2L)]
    public async Task A_client_that_has_not_received_every_frame_is_not_recovered(long? framesReceived)
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient ann, byte[] token) = await harness.JoinAsync("ann");
        await harness.InTurnAsync(static room => room.Broadcast("before"));
        await harness.BreakAsync(ann);
        await harness.InTurnAsync(static room => room.Broadcast("missed"));

        (HarnessClient returned, _) = await harness.ResumeAsync(token, framesReceived: framesReceived);

        Assert.Equal(["missed", "room: back"], returned.Texts());
    }

    [Fact]
    public async Task Frames_that_the_broken_connection_refused_are_lost_and_the_room_says_so()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient ann, byte[] token) = await harness.JoinAsync("ann");

        // The room sends in the turn in which the connection breaks: it has not learned of the break.
        await harness.Room.RunAsync(room =>
        {
            ann.Break();
            Assert.True(SpinWait.SpinUntil(() => ann.Session.Connection.Closed.IsCompleted, TestTimeouts.Hang));
            room.Broadcast("lost");
        });
        await harness.Inner.IdleAsync();
        (HarnessClient returned, _) = await harness.ResumeAsync(token, framesReceived: ann.Connection.FramesReceived);

        Assert.Equal(["room: back"], returned.Texts());
    }

    [Fact]
    public async Task A_room_that_would_keep_too_much_drops_all_and_says_so()
    {
        await using ResumeHarness harness = await StartAsync(replayBytes: 1024);
        (HarnessClient ann, byte[] token) = await harness.JoinAsync("ann");
        await harness.BreakAsync(ann);
        await harness.InTurnAsync(static room => room.Broadcast("1"));
        await harness.InTurnAsync(static room => room.Broadcast(new string('x', 1024)));
        await harness.InTurnAsync(static room => room.Broadcast("2"));

        (HarnessClient returned, _) = await harness.ResumeAsync(token, framesReceived: ann.Connection.FramesReceived);
        await harness.InTurnAsync(static room => room.Broadcast("3"));

        Assert.Equal(["room: back", "3"], returned.Texts());
    }

    [Fact]
    public async Task More_than_half_of_an_outbound_queue_is_not_replayed()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync(static server =>
        {
            server.Options.Sessions.ReplayBytes = 100_000;
            server.Options.Connections.MaxOutboundBytes = 8192;
        });
        (HarnessClient ann, byte[] token) = await harness.JoinAsync("ann");
        await harness.BreakAsync(ann);
        for (int i = 0; i < 5; i++)
        {
            await harness.InTurnAsync(static room => room.Broadcast(new string('x', 1000)));
        }

        (HarnessClient returned, _) = await harness.ResumeAsync(token, framesReceived: ann.Connection.FramesReceived);

        Assert.Equal(["room: back"], returned.Texts());
    }

    [Fact]
    public async Task A_takeover_recovers_as_well_if_the_client_says_what_it_has()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient ann, byte[] token) = await harness.JoinAsync("ann");
        await harness.InTurnAsync(static room => room.Broadcast("before"));
        Connection former = ann.Session.Connection;

        (HarnessClient returned, Resumption? resumption) = await harness.ResumeAsync(
            token,
            async _ => await harness.Room.RunAsync(static room => room.Broadcast("lost")), // the room does not know of the takeover yet
            framesReceived: 1);
        (HarnessClient again, _) = await harness.ResumeAsync(resumption!.Token, framesReceived: returned.Connection.FramesReceived);

        Assert.Equal(CloseReason.TakenOver, former.CloseReason);
        Assert.Equal(["room: back"], returned.Texts());
        Assert.Equal(["room: recovered"], again.Texts());
    }

    [Fact]
    public async Task A_retry_with_a_used_token_is_not_recovered_because_its_number_is_of_an_earlier_connection()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient ann, byte[] token) = await harness.JoinAsync("ann");
        await harness.InTurnAsync(static room => room.Broadcast("before"));
        await harness.BreakAsync(ann);

        (HarnessClient lost, _) = await harness.ResumeAsync(token, framesReceived: 1); // "room: recovered": as many frames
        await harness.BreakAsync(lost);
        (HarnessClient returned, _) = await harness.ResumeAsync(token, framesReceived: 1);

        Assert.Equal(["room: back"], returned.Texts());
    }

    [Fact]
    public async Task Of_frames_that_a_member_may_lose_the_newest_of_each_key_is_replayed()
    {
        await using ResumeHarness harness = await StartAsync(replayBytes: 4096);
        (HarnessClient ann, byte[] token) = await harness.JoinAsync("ann");
        await harness.BreakAsync(ann);

        for (int i = 0; i < 300; i++)
        {
            await harness.InTurnAsync(room =>
            {
                room.Broadcast($"a{i}", Delivery.LatestOnly(1));
                room.Broadcast($"b{i}", Delivery.LatestOnly(2));
                room.Broadcast("effect", Delivery.DropIfBehind);
            });
        }

        await harness.InTurnAsync(static room => room.Broadcast("last"));
        (HarnessClient returned, _) = await harness.ResumeAsync(token, framesReceived: 0);

        Assert.Equal(["a299", "b299", "last", "room: recovered"], returned.Texts());
    }

    [Fact]
    public async Task A_member_that_stays_away_leaves_nothing_kept()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient ann, _) = await harness.JoinAsync("ann");
        await harness.BreakAsync(ann);
        await harness.InTurnAsync(static room => room.Broadcast("1"));

        await harness.Inner.AdvanceAsync(ResumeHarness.Window);
        await harness.InTurnAsync(static room => room.Broadcast("2"));

        Assert.Equal(0, harness.Room.MemberCount);
        Assert.Equal(["away", "leave SessionEnded"], harness.Room.Hooks);
    }

    [Fact]
    public async Task A_client_counts_the_frames_that_it_has_received()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient ann, _) = await harness.JoinAsync("ann");

        for (int i = 1; i <= 10; i++)
        {
            await harness.InTurnAsync(room =>
            {
                room.Broadcast(Encoding.Latin1.GetString(new byte[i]));
                room.Send(ann.Session, "own");
            });
        }

        Assert.Equal(20, ann.Frames.Count);
        await Eventually.TrueAsync(() => ann.Connection.FramesReceived == 20);
        Assert.True(ann.Session.Connection.HasSentExactly(20));
    }

    private static Task<ResumeHarness> StartAsync(int replayBytes = 64 * 1024) =>
        ResumeHarness.StartAsync(server => server.Options.Sessions.ReplayBytes = replayBytes);
}
