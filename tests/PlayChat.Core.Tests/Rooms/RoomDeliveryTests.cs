using System.Globalization;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomDeliveryTests
{
    private const int Players = 50;

    [Fact]
    public async Task A_member_that_reads_again_gets_every_reliable_frame_and_of_each_key_the_newest()
    {
        await using var harness = new StubRoomHarness();
        Session[] members = await harness.EnterAsync(5);
        Session stalled = members[0];
        StubLink link = harness.LinkOf(stalled);
        link.HoldSends = true;
        await harness.InTurnAsync(static room => room.Broadcast("first"));

        for (int turn = 0; turn < 100; turn++)
        {
            await harness.InTurnAsync(room =>
            {
                room.Broadcast($"a {turn}", Delivery.LatestOnly(1));
                room.BroadcastExcept(members[1], $"b {turn}", Delivery.LatestOnly(2));
                room.BroadcastExcept(stalled, $"not his {turn}", Delivery.LatestOnly(3));
                if (turn % 10 == 0)
                {
                    room.Broadcast($"reliable {turn}");
                }

                room.BroadcastTo([stalled, members[2]], $"c {turn}", Delivery.LatestOnly(4));
                room.Send(stalled, $"d {turn}", Delivery.LatestOnly(5));
            });
        }

        int waiting = stalled.Connection.OutboundBytes;
        link.CompleteSend();
        link.CompleteSend();

        string[] received = harness.Received(stalled);
        Assert.Equal(["first", .. Enumerable.Range(0, 10).Select(static i => $"reliable {i * 10}")], received[..11]);
        Assert.Equal(["a 99", "b 99", "c 99", "d 99"], received[11..].Order(StringComparer.Ordinal).ToArray());
        Assert.Equal(2, link.Sends);
        Assert.Equal(link.SentBytes, waiting);
        Assert.Equal(4 * 99, harness.Metrics.Read(Counter.FramesReplaced));
        Assert.Equal(1 + (100 * 3) + 10, harness.Received(members[4]).Length);
        Assert.Equal(1 + (100 * 2) + 10, harness.Received(members[1]).Length);
    }

    [Fact]
    public async Task DropIfBehind_costs_only_who_is_behind_and_only_those_frames()
    {
        await using var harness = new StubRoomHarness(connections: static o => o.MaxOutboundBytes = 64 * 1024);
        Session[] members = await harness.EnterAsync(20);
        harness.LinkOf(members[0]).HoldSends = true;
        string large = new('x', 5000);
        await harness.InTurnAsync(room => room.Broadcast(large));

        await harness.InTurnAsync(static room =>
        {
            room.Broadcast("1");
            room.Broadcast("2", Delivery.DropIfBehind);
            room.Broadcast("3");
            room.Broadcast("4", Delivery.DropIfBehind);
        });
        harness.LinkOf(members[0]).CompleteSend();

        Assert.Equal([large, "1", "3"], harness.Received(members[0]));
        Assert.Equal([large, "1", "2", "3", "4"], harness.Received(members[1]));
        Assert.Equal(2, harness.Metrics.Read(Counter.FramesSkipped));
        Assert.Equal((20 * 5) - 2, harness.Metrics.Read(Counter.Deliveries));
    }

    [Theory]
    [InlineData(SlowConsumerPolicy.Disconnect)]
    [InlineData(SlowConsumerPolicy.Wait)]
    public async Task Reliable_frames_still_end_in_the_policy(SlowConsumerPolicy policy)
    {
        await using var harness = new StubRoomHarness(connections: o => (o.MaxOutboundBytes, o.SlowConsumer) = (4096, policy));
        Session[] members = await harness.EnterAsync(20);
        harness.LinkOf(members[0]).HoldSends = true;

        for (int i = 0; i < 20; i++)
        {
            await harness.InTurnAsync(static room =>
            {
                room.Broadcast(new string('p', 100), Delivery.LatestOnly(1));
                room.Broadcast(new string('r', 300));
            });
        }

        Assert.Equal(CloseReason.SlowConsumer, await members[0].Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(40, harness.Received(members[1]).Length);
    }

    [Fact]
    public async Task Under_DropNewest_what_fits_is_kept_and_the_rest_counted()
    {
        await using var harness = new StubRoomHarness(
            connections: static o => (o.MaxOutboundBytes, o.SlowConsumer) = (4096, SlowConsumerPolicy.DropNewest));
        Session[] members = await harness.EnterAsync(20);
        harness.LinkOf(members[0]).HoldSends = true;
        await harness.InTurnAsync(static room => room.Broadcast(new string('f', 2000)));

        await harness.InTurnAsync(static room =>
        {
            room.Broadcast("1", Delivery.LatestOnly(1));
            room.Broadcast(new string('x', 3000));
            room.Broadcast("2", Delivery.LatestOnly(1));
            room.Broadcast("3");
        });
        harness.LinkOf(members[0]).CompleteSend();
        harness.LinkOf(members[0]).CompleteSend();

        Assert.Equal(["3", "2"], harness.Received(members[0])[1..]);
        Assert.Equal(1, harness.Metrics.Read(Counter.FramesDropped));
        Assert.Equal(1, harness.Metrics.Read(Counter.FramesReplaced));
    }

    [Fact]
    public async Task Large_frames_are_held_and_not_copied_for_members_who_are_behind()
    {
        await using var harness = new StubRoomHarness();
        Session[] members = await harness.EnterAsync(10);
        foreach (Session member in members)
        {
            harness.LinkOf(member).HoldSends = true;
        }

        await harness.InTurnAsync(static room => room.Broadcast("first"));
        long before = harness.Pool.InUse;
        for (int i = 0; i < 5; i++)
        {
            await harness.InTurnAsync(static room => room.Broadcast(new string('x', 10_000), Delivery.LatestOnly(1)));
            Assert.Equal(before + 1, harness.Pool.InUse); // one for all ten
        }
    }

    // The figures in bench/README.md, "Message classes".
    [Fact]
    public async Task A_player_who_does_not_read_for_ten_seconds_costs_what_he_will_be_sent_with_LatestOnly()
    {
        (int bytes, long buffers) = await StallAsync(static key => Delivery.LatestOnly(key));
        (int reliableBytes, long reliableBuffers) = await StallAsync(static _ => Delivery.Reliable);

        Assert.Equal(Players * 34, bytes); // each player's newest position
        Assert.Equal(1, buffers);
        Assert.Equal(Players * 34 * 200, reliableBytes);
        Assert.InRange(reliableBuffers, 95, 110); // of 4 KB
    }

    private static async Task<(int Bytes, long Buffers)> StallAsync(Func<long, Delivery> classOf)
    {
        await using var harness = new StubRoomHarness();
        Session[] members = await harness.EnterAsync(Players);
        Array.ForEach(members, member => harness.LinkOf(member).Sent = null);
        harness.LinkOf(members[0]).HoldSends = true;
        await harness.InTurnAsync(static room => room.Broadcast("x"));
        (int bytesBefore, long buffersBefore) = (members[0].Connection.OutboundBytes, harness.Pool.InUse);
        for (int tick = 0; tick < 200; tick++) // 20 Hz
        {
            await harness.InTurnAsync(room =>
            {
                for (int player = 0; player < Players; player++)
                {
                    // Id, position, direction.
                    room.Broadcast(string.Create(CultureInfo.InvariantCulture, $"{player,8}{tick,24}"), classOf(player));
                }
            });
        }

        return (members[0].Connection.OutboundBytes - bytesBefore, harness.Pool.InUse - buffersBefore);
    }
}
