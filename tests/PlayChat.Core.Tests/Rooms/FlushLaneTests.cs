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
        TestRoom other = RoomOfSameLane(harness);
        Session[] members = await harness.EnterAsync(1);
        Session listener = harness.NewSession();
        await other.PostAsync(static (TestRoom room, Session session, object? _) => room.Enter(session), listener, null);
        await other.DrainAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);
        using var blocked = new BlockedStream();
        harness.LinkOf(members[0]).Sent = blocked;
        await harness.Room.PostAsync(static (TestRoom room, object? _, object? _) => room.Broadcast("1"), null, (object?)null);
        await blocked.Entered.WaitAsync(TestTimeouts.Hang);

        var ran = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await other.PostAsync(
            static (TestRoom room, TaskCompletionSource done, object? _) =>
            {
                room.Broadcast("2");
                done.SetResult();
            },
            ran,
            null);
        await ran.Task.WaitAsync(TestTimeouts.Hang);
        Task flushed = other.DrainAsync(CancellationToken.None);
        Assert.Empty(harness.Received(listener));
        Assert.False(flushed.IsCompleted);

        blocked.Release();
        await flushed.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(["2"], harness.Received(listener));
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

    /// <summary>Keeps who writes until it is released.</summary>
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
