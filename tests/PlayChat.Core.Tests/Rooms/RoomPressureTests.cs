using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomPressureTests
{
    private const int MaxOutboundBytes = 64 * 1024; // so a turn takes 8 KB, and a member with more than 4 KB waiting is behind

    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(1);
    private static readonly string s_text = new('x', 5000);

    [Fact]
    public async Task A_room_many_of_whose_members_are_behind_runs_no_job_until_they_were_sent_what_they_have()
    {
        await using StubRoomHarness harness = NewHarness();
        Session[] members = await harness.EnterAsync(3);
        Hold(harness, members[..2]);
        await FillAsync(harness, static room => room.Broadcast(s_text), static room => room.Broadcast(s_text));

        await IsHeldUntilOneReadsAsync(harness, members[..2]);
    }

    [Fact]
    public async Task What_members_are_sent_on_their_own_holds_the_room_as_well()
    {
        await using StubRoomHarness harness = NewHarness();
        Session[] members = await harness.EnterAsync(3);
        Hold(harness, members[..2]);
        await FillAsync(harness, room => room.Send(members[0], s_text), room => room.Send(members[1], s_text));

        await IsHeldUntilOneReadsAsync(harness, members[..2]);
    }

    [Fact]
    public async Task A_member_that_reads_can_be_sent_more_by_the_queued_jobs_than_its_queue_takes()
    {
        await using StubRoomHarness harness = NewHarness();
        Session[] members = await harness.EnterAsync(1);
        using var hold = new ManualResetEventSlim();
        harness.Room.Post((TestRoom _) => hold.Wait(TestTimeouts.Hang));
        for (int i = 0; i < 100; i++)
        {
            Assert.True(harness.Room.Post(static (TestRoom room, Session to) => room.Send(to, s_text), members[0]));
        }

        hold.Set();
        await harness.FlushedAsync();

        Assert.Equal(100, harness.Received(members[0]).Length);
    }

    [Fact]
    public async Task More_than_a_slice_of_them_are_all_flushed_though_they_are_no_members()
    {
        await using StubRoomHarness harness = NewHarness();
        Session[] sessions = [.. Enumerable.Range(0, 300).Select(_ => harness.NewSession())];

        await harness.InTurnAsync(room => Array.ForEach(sessions, session => room.Send(session, "1")));
        await harness.InTurnAsync(room => Array.ForEach(sessions, session => room.Send(session, "2")));

        Assert.All(sessions, session => Assert.Equal(["1", "2"], harness.Received(session)));
    }

    [Fact]
    public async Task One_member_that_is_behind_does_not_hold_the_room()
    {
        await using StubRoomHarness harness = NewHarness();
        Session[] members = await harness.EnterAsync(2);
        Hold(harness, members[..1]);

        await harness.InTurnAsync(static room => room.Broadcast(s_text));
        await harness.InTurnAsync(static room => room.Broadcast("2")); // and the clock has not moved

        Assert.Equal(2, harness.Received(members[1]).Length);
        Release(harness, members[..1]);
    }

    [Fact]
    public async Task Dead_members_delay_each_turn_by_5_milliseconds_and_after_50_none_and_they_end_as_slow_consumers()
    {
        await using StubRoomHarness harness = NewHarness();
        Session[] members = await harness.EnterAsync(3);
        Hold(harness, members[..2]);
        await FillAsync(harness, static room => room.Broadcast(s_text), static room => room.Broadcast(s_text));

        for (int turn = 1; turn <= 5; turn++)
        {
            Task ran = harness.InTurnAsync(static room => room.Broadcast(s_text));
            await HeldAsync(harness);
            for (int ms = 1; ms < 5; ms++)
            {
                harness.Time.Advance(s_step);
                await HeldAsync(harness);
            }

            Assert.False(ran.IsCompleted);
            harness.Time.Advance(s_step);
            await ran;
        }

        Assert.True(members[0].Connection.IsOpen);
        harness.Time.Advance(25 * s_step); // together 50
        while (members[0].Connection.IsOpen)
        {
            await harness.InTurnAsync(static room => room.Broadcast(s_text)); // and the clock does not move: no turn waits
        }

        Assert.Equal(CloseReason.SlowConsumer, await members[0].Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.SlowConsumer, await members[1].Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.True(members[2].Connection.IsOpen);
    }

    private static StubRoomHarness NewHarness() => new(connections: static o => o.MaxOutboundBytes = MaxOutboundBytes);

    private static void Hold(StubRoomHarness harness, Session[] sessions) =>
        Array.ForEach(sessions, session => harness.LinkOf(session).HoldSends = true);

    private static void Release(StubRoomHarness harness, Session[] sessions) => Array.ForEach(sessions, session =>
    {
        harness.LinkOf(session).HoldSends = false;
        harness.LinkOf(session).CompleteSend();
    });

    /// <summary>
    /// Sends more than a turn takes, so that what is queued next has a turn of its own. It does not wait for the flush, which may hold
    /// the room already.
    /// </summary>
    private static Task FillAsync(StubRoomHarness harness, Action<TestRoom> first, Action<TestRoom> second) =>
        harness.Room.RunAsync(first + second);

    /// <summary>The room's next turn waits until one of the members that do not read has read.</summary>
    private static async Task IsHeldUntilOneReadsAsync(StubRoomHarness harness, Session[] stalled)
    {
        Task ran = harness.InTurnAsync(static _ => { });
        await HeldAsync(harness);
        harness.Time.Advance(s_step);
        await HeldAsync(harness);
        harness.Time.Advance(s_step);
        await HeldAsync(harness);
        Assert.False(ran.IsCompleted);
        Release(harness, stalled[..1]);
        await RanAsync(harness, ran);

        Release(harness, stalled[1..]);
    }

    /// <summary>Completes when the room's turn waits: nothing else here sets a timer.</summary>
    private static Task HeldAsync(StubRoomHarness harness) => harness.Time.WaitForTimersAsync().WaitAsync(TestTimeouts.Hang);

    /// <summary>Moves the clock until a task has ended: a room that is held sets its timer anew each time.</summary>
    private static Task RanAsync(StubRoomHarness harness, Task task) => Eventually.TrueAsync(() =>
    {
        harness.Time.Advance(s_step);
        return task.IsCompleted;
    });
}
