using PlayChat.Core.Diagnostics;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomFlushTests
{
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(20);

    [Fact]
    public async Task A_quiet_room_flushes_at_once_and_a_busy_one_when_the_interval_ends()
    {
        await using var harness = new StubRoomHarness(rooms: o => o.FlushInterval = s_interval);
        Session[] members = await harness.EnterAsync(1); // flushes at once
        harness.Time.Advance(s_interval);

        await harness.InTurnAsync(static room => room.Broadcast("1"));
        Assert.Equal(["1"], harness.Received(members[0]));

        await FlushWaitTests.IdleAsync(harness.Room);
        harness.Room.Post(static (TestRoom room) => room.Broadcast("2"));
        harness.Room.Post(static (TestRoom room) => room.Broadcast("3"));
        Task flushed = harness.FlushedAsync();
        harness.Time.Advance(s_interval / 2);
        Assert.NotNull(harness.Room.Turn.Scheduler.WaitsUntil);
        harness.Time.Advance(s_interval / 2);
        await flushed;

        Assert.Equal(["1", "2", "3"], harness.Received(members[0]));
        Assert.Equal(2, harness.LinkOf(members[0]).Sends);
    }

    [Fact]
    public async Task More_jobs_than_one_turn_takes_do_not_wait_for_the_interval()
    {
        await using var harness = new StubRoomHarness(rooms: o => (o.FlushInterval, o.MaxItemsPerTurn) = (s_interval, 10));
        int ran = 0;
        using var hold = new ManualResetEventSlim();
        harness.Room.Post((TestRoom _) => hold.Wait(TestTimeouts.Hang));
        for (int i = 0; i < 40; i++)
        {
            harness.Room.Post((TestRoom _) => Interlocked.Increment(ref ran));
        }

        hold.Set();

        await Eventually.TrueAsync(() => Volatile.Read(ref ran) == 40); // and the clock has not moved
    }

    [Fact]
    public async Task A_member_that_never_reads_costs_the_others_nothing_and_ends_as_SlowConsumer()
    {
        await using var harness = new StubRoomHarness(connections: static o => o.MaxOutboundBytes = 8 * 1024);
        Session[] members = await harness.EnterAsync(100);
        Session stuck = members[50];
        harness.LinkOf(stuck).HoldSends = true;
        string text = new('x', 125);

        for (int i = 0; i < 1000; i++)
        {
            Assert.True(await harness.Room.PostAsync(static (TestRoom room, string t) => room.Broadcast(t), text));
            if (i % 100 == 0)
            {
                await harness.FlushedAsync();
                Assert.True(stuck.Connection.OutboundBytes <= 8 * 1024);
            }
        }

        await harness.FlushedAsync();
        Assert.Equal(CloseReason.SlowConsumer, await stuck.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.All(members.Where(member => member != stuck), member => Assert.Equal(1000, harness.Received(member).Length));
        Assert.Equal(99, harness.Pool.InUse); // what the 99 receive into
    }
}
