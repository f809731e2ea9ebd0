using PlayChat.Core.Rooms;
using PlayChat.Core.Tests.Sessions;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomActivityTests
{
    [Fact]
    public async Task Activity_counts_the_jobs_that_wait_and_those_that_have_run()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        await harness.IdleAsync();
        long before = harness.Room.Activity.JobsExecuted;
        using HeldRoom held = await HeldRoom.HoldAsync(harness.Room);

        for (int i = 0; i < 5; i++)
        {
            Assert.True(harness.Room.Post(static _ => { }));
        }

        RoomActivity waiting = harness.Room.Activity;
        held.Release();
        await harness.IdleAsync();

        Assert.Equal(5, waiting.QueuedJobs);
        Assert.Equal(0, waiting.QueuedBytes);
        Assert.Equal(0, harness.Room.Activity.QueuedJobs);
        Assert.True(harness.Room.Activity.JobsExecuted >= before + 5);
    }

    [Fact]
    public async Task Away_lists_the_sessions_whose_connection_is_lost()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync("ann");
        await harness.JoinAsync("bob");

        await harness.BreakAsync(client);

        Assert.Equal([client.Session], harness.Sessions.Away);
        await harness.ResumeAsync(token);
        Assert.Empty(harness.Sessions.Away);
    }
}
