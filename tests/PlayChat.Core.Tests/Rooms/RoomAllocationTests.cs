using System.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Dispatch;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

[Collection(nameof(RunsAlone))]
public sealed class RoomAllocationTests
{
    [Fact]
    public async Task A_delivery_allocates_nothing()
    {
        await using var harness = new StubRoomHarness(time: TimeProvider.System);
        Session[] members = await harness.EnterAsync(32); // one slice, so that the whole flush runs here
        Array.ForEach(members, member => harness.LinkOf(member).Sent = null);
        byte[] body = new byte[64];

        await harness.FlushedAsync();

        // No job is queued, so the turns run here, where allocation is counted.
        long allocated = AllocatedBytes.InSteadyState(() =>
        {
            harness.Room.Turn.Thread.Begin();
            harness.Room.Broadcast(body);
            harness.Room.Turn.Scheduler.Execute();
        });

        Assert.Equal(0, allocated);
    }

    [Fact]
    public async Task Frames_of_every_class_and_audience_allocate_nothing_also_for_a_member_who_does_not_read()
    {
        await using var harness = new StubRoomHarness(time: TimeProvider.System, connections: static o => o.MaxOutboundBytes = 8192);
        Session[] members = await harness.EnterAsync(32); // one slice, so that the whole flush runs here
        Array.ForEach(members, member => harness.LinkOf(member).Sent = null);
        harness.LinkOf(members[0]).HoldSends = true;
        byte[] body = new byte[64];

        await harness.FlushedAsync();

        long allocated = AllocatedBytes.InSteadyState(() =>
        {
            harness.Room.Turn.Thread.Begin();
            for (int i = 0; i < 4; i++)
            {
                harness.Room.Broadcast(body, default, Delivery.LatestOnly(i));
                harness.Room.BroadcastExcept(members[i], body, Delivery.LatestOnly(100 + i));
            }

            harness.Room.Broadcast(body, default, Delivery.DropIfBehind);
            harness.Room.BroadcastTo(members.AsSpan(1, 1), body, Delivery.LatestOnly(200));
            harness.Room.Turn.Scheduler.Execute();
        });

        Assert.Equal(0, allocated);
    }

    [Fact]
    public async Task A_request_to_a_room_that_it_names_and_its_answer_allocate_nothing()
    {
        await using var harness = new StubRoomHarness(time: TimeProvider.System);
        MemberRoom[] rooms =
            [.. Enumerable.Range(0, 3).Select(_ => harness.Rooms.Create("r", static c => new MemberRoom(c) { IsQuiet = true }))];
        Session session = harness.NewSession();
        foreach (MemberRoom room in rooms)
        {
            Assert.True((await room.JoinAsync(session)).IsJoined);
        }

        harness.LinkOf(session).Sent = null;
        var packets = new PacketSet().Add(new AddressedPacket(9, readAs: new Addressed(rooms[1].Id))).Add(new NumberPacket(8));
        var router = new PacketRouter(provider: null, packets);
        router.MapRoomRequest<MemberRoom, TestMember, Addressed, long>(static (room, _, _, _) => room.Id);
        PacketDispatcher dispatcher = router.Start(harness.Metrics, harness.Logger, TimeProvider.System);
        var body = new ReadOnlySequence<byte>(new byte[sizeof(long)]);
        FrameData data = FrameData.OfBody(in body, new FrameHeader(PacketId: 9, RequestId: 1));

        long least = LeastAllocated(harness.Metrics, () => Assert.True(
            dispatcher.HandleAsync(session.Connection, new Frame(in data)).IsCompletedSuccessfully));

        // One byte a request and answer would be 2,000; the parts of the queues grow now and then.
        Assert.InRange(least, 0, 1_500);
    }

    [Fact]
    public async Task A_posted_frame_and_its_deliveries_allocate_nothing()
    {
        await using var harness = new StubRoomHarness(time: TimeProvider.System);
        Session[] members = await harness.EnterAsync(10);
        Array.ForEach(members, member => harness.LinkOf(member).Sent = null);
        var body = new ReadOnlySequence<byte>(new byte[64]);

        FrameData data = FrameData.OfBody(in body);
        long least = LeastAllocated(harness.Metrics, () => Assert.True(harness.Room.PostFrame(members[0], new Frame(in data))));

        // The pool's own queue grows now and then; one byte a delivery would be 10,000.
        Assert.InRange(least, 0, 5_000);
    }
    /// <summary>The bytes that 1,000 posts and the turns that run them allocate on all threads: the least of six attempts.</summary>
    private static long LeastAllocated(ServerMetrics metrics, Action post)
    {
        long least = long.MaxValue;
        for (int attempt = 0; attempt < 6 && least > 0; attempt++)
        {
            long executed = metrics.Read(Counter.JobsExecuted);
            long before = GC.GetTotalAllocatedBytes(precise: true);
            for (int i = 1; i <= 1000; i++)
            {
                post();

                // Never many at once: the pool keeps so many small blocks and no more, and where the turn gets no processor they would
                // all wait.
                while (i % 10 == 0 && metrics.Read(Counter.JobsExecuted) < executed + i)
                {
                    Thread.Yield(); // gives the processor to the room, where there is one only, and allocates nothing
                }
            }

            least = Math.Min(least, GC.GetTotalAllocatedBytes(precise: true) - before);
        }

        return least;
    }
}
