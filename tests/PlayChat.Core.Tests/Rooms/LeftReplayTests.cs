using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>What a room has sent to a member that is away, and whose membership ends before it returns.</summary>
public sealed class LeftReplayTests
{
    [Fact]
    public async Task A_member_that_returns_gets_the_result_of_a_room_that_was_removed_meanwhile()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient ann, byte[] token) = await harness.JoinAsync("ann");
        (HarnessClient bob, _) = await harness.JoinAsync("bob");
        await harness.BreakAsync(ann);

        await harness.InTurnAsync(static room => room.Broadcast("score"));
        await harness.InTurnAsync(static room =>
        {
            room.Broadcast("match over");
            room.Remove();
        });
        (HarnessClient returned, _) = await harness.ResumeAsync(token, framesReceived: ann.Connection.FramesReceived);

        Assert.Equal(["score", "match over"], returned.Texts());
        Assert.Equal(["score", "match over"], bob.Texts());
        Assert.Empty(ann.Session.Attachments.ToArray());
    }

    [Fact]
    public async Task A_member_that_the_room_expels_gets_what_was_sent_before_and_nothing_from_after()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient ann, byte[] token) = await harness.JoinAsync("ann");
        await harness.BreakAsync(ann);

        await harness.InTurnAsync(room =>
        {
            room.Broadcast("you are out");
            room.Leave(ann.Session);
            room.Broadcast("later");
        });
        (HarnessClient returned, _) = await harness.ResumeAsync(token, framesReceived: ann.Connection.FramesReceived);

        Assert.Equal(["you are out"], returned.Texts());
    }

    [Fact]
    public async Task A_room_that_is_removed_while_the_member_returns_replays_behind_the_answer()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient ann, byte[] token) = await harness.JoinAsync("ann");
        await harness.BreakAsync(ann);

        (HarnessClient returned, _) = await harness.ResumeAsync(
            token,
            async resumption =>
            {
                await harness.Room.RunAsync(static room =>
                {
                    room.Broadcast("match over");
                    room.Remove();
                });
                resumption.Session.Connection.Send("welcome"u8);
            },
            ann.Connection.FramesReceived);

        Assert.Equal(["welcome", "match over"], returned.Texts());
    }

    [Theory]
    [InlineData(1024, 0)]
    [InlineData(4096, 1)]
    public async Task The_bound_is_that_of_a_room(int replayBytes, int frames)
    {
        await using ResumeHarness harness = await StartAsync(replayBytes);
        (HarnessClient ann, byte[] token) = await harness.JoinAsync("ann");
        await harness.BreakAsync(ann);

        await harness.InTurnAsync(static room =>
        {
            room.Broadcast(new string('x', 2000));
            room.Remove();
        });
        (HarnessClient returned, _) = await harness.ResumeAsync(token, framesReceived: ann.Connection.FramesReceived);

        Assert.Equal(frames, returned.Frames.Count);
    }

    [Fact]
    public async Task A_member_that_stays_away_leaves_nothing_kept()
    {
        await using ResumeHarness harness = await StartAsync();
        (HarnessClient ann, _) = await harness.JoinAsync("ann");
        await harness.BreakAsync(ann);
        await harness.InTurnAsync(static room =>
        {
            room.Broadcast("match over");
            room.Remove();
        });
        Assert.Single(ann.Session.Attachments.ToArray());

        await harness.Inner.AdvanceAsync(ResumeHarness.Window);

        Assert.True(ann.Session.HasEnded);
        Assert.Equal(["away", "leave RoomRemoved"], harness.Room.Hooks);
    }

    private static Task<ResumeHarness> StartAsync(int replayBytes = 64 * 1024) =>
        ResumeHarness.StartAsync(server => server.Options.Sessions.ReplayBytes = replayBytes);
}
