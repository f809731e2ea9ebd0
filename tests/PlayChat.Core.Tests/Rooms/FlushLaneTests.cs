using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

public sealed class FlushLaneTests
{
    [Fact]
    public async Task A_room_whose_lane_is_busy_runs_its_jobs_and_is_flushed_when_the_other_room_is_done()
    {
        await using var harness = new StubRoomHarness();
        using var blocked = new BlockedStream();
        (TestRoom other, Session listener) = await KeepLaneAsync(harness, blocked, others: 20);

        Task flushed = await BroadcastAsync(other);
        Assert.Empty(harness.Received(listener));
        Assert.False(flushed.IsCompleted);

        blocked.Release();
        await flushed.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(["2"], harness.Received(listener));
    }

    [Fact]
    public async Task A_room_of_a_few_members_waits_for_no_lane()
    {
        await using var harness = new StubRoomHarness();
        using var blocked = new BlockedStream();
        (TestRoom other, Session listener) = await KeepLaneAsync(harness, blocked, others: 2);

        Task flushed = await BroadcastAsync(other);

        await flushed.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(["2"], harness.Received(listener));
        blocked.Release();
    }

    /// <summary>The harness's room is in its flush when this returns.</summary>
    /// <returns>Another room of the same lane, and one of its members.</returns>
    private static async Task<(TestRoom Other, Session Member)> KeepLaneAsync(StubRoomHarness harness, BlockedStream blocked, int others)
    {
        TestRoom other = RoomOfSameLane(harness);
        Session[] members = await harness.EnterAsync(20);
        Session[] listeners = [.. Enumerable.Range(0, others).Select(_ => harness.NewSession())];
        await other.PostAsync(
            static (TestRoom room, Session[] sessions) => Array.ForEach(sessions, session => room.Join(session)),
            listeners);
        await other.DrainAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);
        harness.LinkOf(members[0]).Sent = blocked;
        await harness.Room.PostAsync(static (TestRoom room, object? _) => room.Broadcast("1"), null);
        await blocked.Entered.WaitAsync(TestTimeouts.Hang);
        return (other, listeners[0]);
    }

    /// <summary>The room has broadcast when this returns.</summary>
    /// <returns>Completes when that is flushed.</returns>
    private static async Task<Task> BroadcastAsync(TestRoom room)
    {
        var ran = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await room.PostAsync(
            static (TestRoom room, TaskCompletionSource done) =>
            {
                room.Broadcast("2");
                done.SetResult();
            },
            ran);
        await ran.Task.WaitAsync(TestTimeouts.Hang);
        return room.DrainAsync(CancellationToken.None);
    }

    private static TestRoom RoomOfSameLane(StubRoomHarness harness)
    {
        TestRoom room;
        do
        {
            room = harness.Rooms.Create("other", static context => new TestRoom(context));
        }
        while ((room.Id - harness.Room.Id) % RoomServices.FlushLanes != 0);
        return room;
    }

    /// <summary>Blocks each write until it is released.</summary>
    private sealed class BlockedStream : MemoryStream
    {
        private readonly TaskCompletionSource _entered = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly ManualResetEventSlim _released = new();

        internal Task Entered => _entered.Task;

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            _entered.TrySetResult();
            _released.Wait(TestTimeouts.Hang);
            base.Write(buffer);
        }

        internal void Release() => _released.Set();

        protected override void Dispose(bool disposing)
        {
            _released.Dispose();
            base.Dispose(disposing);
        }
    }
}
