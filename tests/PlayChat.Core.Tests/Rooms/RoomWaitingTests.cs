using System.Buffers;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

[Collection(nameof(RunsAlone))]
public sealed class RoomWaitingTests
{
    [Fact]
    public async Task Senders_that_wait_for_room_do_not_wake_each_other()
    {
        const int Looks = 2000;
        await using var harness = new StubRoomHarness(rooms: o => o.QueueBytes = 4096);
        Session[] members = await harness.EnterAsync(2);
        using var hold = new ManualResetEventSlim();
        harness.Room.Post((TestRoom _) => hold.Wait(TestTimeouts.Hang));
        Task<bool> first = PostAsync(harness, members[0], 4000);
        Task<bool>[] waiting = [PostAsync(harness, members[0], 500), PostAsync(harness, members[1], 500)];

        long before = ThreadPool.CompletedWorkItemCount;
        for (int i = 0; i < Looks; i++)
        {
            await Task.Yield();
        }

        long others = ThreadPool.CompletedWorkItemCount - before - Looks;
        hold.Set();
        Assert.InRange(others, -Looks, Looks / 4);
        Assert.All(await Task.WhenAll([first, .. waiting]).WaitAsync(TestTimeouts.Hang), Assert.True);
        await harness.FlushedAsync();
    }

    private static Task<bool> PostAsync(StubRoomHarness harness, Session from, int bodyBytes)
    {
        var body = new ReadOnlySequence<byte>(new byte[bodyBytes]);
        FrameData data = FrameData.OfBody(in body);
        return harness.Room.PostFrameAsync(from, new Frame(in data)).AsTask();
    }
}
