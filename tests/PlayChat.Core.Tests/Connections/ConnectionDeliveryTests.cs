using System.Text;
using PlayChat.Core.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class ConnectionDeliveryTests
{
    [Fact]
    public async Task While_a_send_is_under_way_a_newer_frame_replaces_the_older_one_of_its_key()
    {
        await using ConnectionHarness harness = Held();

        Assert.True(Send(harness, "a1", Delivery.LatestOnly(1)));
        Assert.True(Send(harness, "b1", Delivery.LatestOnly(2)));
        Assert.True(Send(harness, "reliable", Delivery.Reliable));
        Assert.True(Send(harness, "a2", Delivery.LatestOnly(1)));
        Assert.True(Send(harness, "a3, which is longer", Delivery.LatestOnly(1)));
        harness.Stub.CompleteSend();

        Assert.Equal(2, harness.Stub.Sends);
        string[] sent = Sent(harness);
        Assert.Equal(["first", "reliable"], sent[..2]);
        Assert.Equal(["a3, which is longer", "b1"], sent[2..].Order(StringComparer.Ordinal).ToArray());
        Assert.Equal(2, harness.Metrics.Read(Counter.FramesReplaced));
        harness.Stub.CompleteSend();
        Assert.Equal(0, harness.Connection.OutboundBytes);
        Assert.Equal(5, harness.Metrics.Read(Counter.FramesSent) + 1);
    }

    [Fact]
    public async Task With_nothing_under_way_every_frame_goes_out_at_once_and_in_order()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();

        Send(harness, "1", Delivery.LatestOnly(7));
        Send(harness, "2", Delivery.LatestOnly(7));
        Send(harness, "3", Delivery.DropIfBehind);

        Assert.Equal(["1", "2", "3"], Sent(harness));
        Assert.Equal(3, harness.Stub.Sends);
        Assert.Equal(0, harness.Metrics.Read(Counter.FramesReplaced));
    }

    [Fact]
    public async Task In_its_own_batch_a_frame_goes_out_with_the_other_answers()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Handler.OnFrame = static (Connection connection, in Frame _) =>
        {
            connection.Send("1"u8);
            connection.Send("2"u8, default, Delivery.LatestOnly(7));
            connection.Send(default, 1, 0, static (destination, _) => destination[0] = (byte)'3', Delivery.LatestOnly(8));
            connection.Send("4"u8, default, Delivery.DropIfBehind);
            connection.Send("5"u8);
            return default;
        };

        harness.Stub.Feed(harness.Frame(0));

        Assert.Equal(["1", "2", "3", "4", "5"], Sent(harness));
        Assert.Equal(1, harness.Stub.Sends);
    }

    [Fact]
    public async Task In_its_own_batch_a_frame_waits_like_elsewhere_while_a_send_is_under_way()
    {
        await using ConnectionHarness harness = Held();
        harness.Handler.OnFrame = static (Connection connection, in Frame _) =>
        {
            connection.Send("old"u8, default, Delivery.LatestOnly(7));
            connection.Send("answer"u8);
            connection.Send("new"u8, default, Delivery.LatestOnly(7));
            return default;
        };

        harness.Stub.Feed(harness.Frame(0));
        harness.Stub.CompleteSend();

        Assert.Equal(["first", "answer", "new"], Sent(harness));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task In_its_own_batch_a_frame_replaces_the_older_one_that_waits_though_the_send_is_done_by_then(bool fromElsewhere)
    {
        await using ConnectionHarness harness = Held();
        harness.Handler.OnFrame = (Connection connection, in Frame _) =>
        {
            if (fromElsewhere)
            {
                var other = new Thread(() => connection.Send("old"u8, default, Delivery.LatestOnly(7)));
                other.Start();
                other.Join();
            }
            else
            {
                connection.Send("old"u8, default, Delivery.LatestOnly(7));
            }

            connection.Send("answer"u8);
            harness.Stub.CompleteSend();
            connection.Send("new"u8, default, Delivery.LatestOnly(7));
            return default;
        };

        harness.Stub.Feed(harness.Frame(0));

        Assert.Equal(["first", "answer", "new"], Sent(harness));
        Assert.Equal(1, harness.Metrics.Read(Counter.FramesReplaced));
        harness.Stub.CompleteSend();
        Assert.Equal(0, harness.Connection.OutboundBytes);
    }

    [Fact]
    public async Task What_others_send_while_a_batch_is_handled_goes_behind_its_answers_and_may_be_replaced_until_then()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Handler.OnFrame = static (Connection connection, in Frame frame) =>
        {
            connection.Send(in frame); // goes back from where it was received
            var other = new Thread(() =>
            {
                connection.Send("old"u8, default, Delivery.LatestOnly(7));
                connection.Send("new"u8, default, Delivery.LatestOnly(7));
            });
            other.Start();
            other.Join();
            return default;
        };

        harness.Stub.Feed(harness.Frame("echo"u8));

        Assert.Equal(["echo", "new"], Sent(harness));
        Assert.Equal(1, harness.Stub.Sends);
        Assert.Equal(0, harness.Connection.OutboundBytes);
    }

    [Fact]
    public async Task What_waits_counts_to_the_bound_and_a_replacement_only_by_what_it_adds()
    {
        await using ConnectionHarness harness = Held(SlowConsumerPolicy.DropNewest);
        int under = harness.Connection.OutboundBytes;

        Assert.True(harness.Connection.Send(new byte[3000], default, Delivery.LatestOnly(1)));
        Assert.Equal(under + 3004, harness.Connection.OutboundBytes);
        Assert.True(harness.Connection.Send(new byte[3010], default, Delivery.LatestOnly(1)));
        Assert.Equal(under + 3014, harness.Connection.OutboundBytes);
        Assert.False(harness.Connection.Send(new byte[2000], default, Delivery.LatestOnly(2)));
        Assert.False(harness.Connection.Send(new byte[4096], default, Delivery.LatestOnly(1)));
        Assert.False(harness.Connection.Send(new byte[2000]));

        Assert.Equal(3, harness.Metrics.Read(Counter.FramesDropped));
        harness.Stub.CompleteSend();
        Assert.Equal(under + 3014, harness.Stub.SentBytes); // the newest that fitted
        harness.Stub.CompleteSend();
        Assert.Equal(0, harness.Connection.OutboundBytes);
    }

    [Fact]
    public async Task What_does_not_fit_ends_in_the_policy_like_any_frame()
    {
        await using ConnectionHarness harness = Held();

        for (int key = 0; harness.Connection.Send(new byte[500], default, Delivery.LatestOnly(key)); key++)
        {
            Assert.True(harness.Connection.OutboundBytes <= 4096);
        }

        Assert.Equal(CloseReason.SlowConsumer, harness.Connection.CloseReason);
        Assert.Equal(0, harness.Metrics.SendBuffersInUse);
    }

    [Fact]
    public async Task A_close_delivers_what_waits_before_it_tells_the_peer()
    {
        await using ConnectionHarness harness = Held();
        Send(harness, "last", Delivery.LatestOnly(1));

        harness.Connection.Close();
        Assert.False(Send(harness, "too late", Delivery.LatestOnly(1)));
        Assert.False(Send(harness, "too late", Delivery.DropIfBehind));
        harness.Stub.CompleteSend();
        Assert.False(harness.Stub.IsShutdown);
        harness.Stub.CompleteSend();

        Assert.True(harness.Stub.IsShutdown);
        Assert.Equal(["first", "last"], Sent(harness));
        Assert.Equal(0, harness.Metrics.Read(Counter.FramesSkipped));
    }

    [Fact]
    public async Task A_send_that_fails_gives_back_what_waits()
    {
        await using ConnectionHarness harness = Held();
        Send(harness, "never", Delivery.LatestOnly(1));
        harness.Connection.Send(new byte[3000], default, Delivery.LatestOnly(2));

        harness.Stub.CompleteSend(sent: false);
        await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang);

        Assert.Equal(0, harness.Connection.OutboundBytes);
        Assert.Equal(0, harness.Metrics.SendBuffersInUse);
    }

    [Fact]
    public async Task Of_large_shared_frames_the_memory_is_held_and_let_go_when_they_are_replaced()
    {
        await using ConnectionHarness harness = Held(SlowConsumerPolicy.Disconnect, maxOutboundBytes: 1 << 20);
        long before = harness.Pool.InUse;

        for (int i = 0; i < 5; i++)
        {
            Segment block = harness.Pool.RentSegment(20_000);
            block.Written = 20_000;
            LooseFrame[] loose = [new(0, 10_000, 0, Delivery.LatestOnly(1)), new(10_000, 10_000, 1, Delivery.LatestOnly(2))];
            Assert.Equal(2, harness.Connection.SendShared(new SharedFrames(block, 0, 20_000, 0, 2), loose, flush: true));
            block.Release();
            Assert.Equal(before + 1, harness.Pool.InUse);
            Assert.Equal(20_000 + "first".Length + 4, harness.Connection.OutboundBytes);
        }

        Assert.Equal(8, harness.Metrics.Read(Counter.FramesReplaced));
        harness.Stub.CompleteSend();
        harness.Stub.CompleteSend();
        Assert.Equal(before - 1, harness.Pool.InUse);
    }

    [Fact]
    public async Task DropIfBehind_is_dropped_and_counted_only_while_much_waits()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(configure: static o => o.MaxOutboundBytes = 64 * 1024).Start();
        harness.Stub.HoldSends = true;
        harness.Connection.Send(new byte[4000]); // under way; a sixteenth is 4,096

        Assert.True(Send(harness, "in order", Delivery.DropIfBehind));
        Assert.True(harness.Connection.Send(new byte[1000]));
        Assert.False(Send(harness, "dropped", Delivery.DropIfBehind));
        Assert.False(harness.Connection.Send(
            default, 1, 0, static (_, _) => throw new InvalidOperationException("Not to be written."), Delivery.DropIfBehind));
        Assert.True(Send(harness, "reliable", Delivery.Reliable));
        harness.Stub.CompleteSend();
        harness.Stub.CompleteSend();
        Assert.True(Send(harness, "again", Delivery.DropIfBehind));

        Assert.Equal(2, harness.Metrics.Read(Counter.FramesSkipped));
        Assert.Equal(0, harness.Metrics.Read(Counter.FramesDropped));
        Assert.Equal(["in order", "reliable", "again"], Sent(harness).Where(static body => body.Length < 1000).ToArray());
    }

    [Fact]
    public async Task DropIfBehind_that_does_not_fit_is_dropped_and_is_no_slow_consumer()
    {
        await using ConnectionHarness harness = Held(maxOutboundBytes: 4096);

        Assert.False(harness.Connection.Send(new byte[4090], default, Delivery.DropIfBehind));

        Assert.True(harness.Connection.IsOpen);
        Assert.Equal(1, harness.Metrics.Read(Counter.FramesSkipped));
    }

    [Fact]
    public async Task Of_a_run_that_does_not_fit_with_nothing_under_way_the_reliable_frames_go_out_and_nobody_is_a_slow_consumer()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(configure: static o => o.MaxOutboundBytes = 4096).Start();
        harness.Connection.Enqueue(default, 3000, 0, static (destination, _) => destination.Clear(), Delivery.Reliable); // not flushed
        byte[][] frames = [harness.Frame("reliable"u8), harness.Frame(new byte[2000]), harness.Frame("newest"u8)];
        Segment block = harness.Pool.RentSegment(4096);
        frames.SelectMany(static frame => frame).ToArray().CopyTo(block.Array, 0);
        block.Written = frames.Sum(static frame => frame.Length);
        LooseFrame[] loose =
        [
            new(frames[0].Length, frames[1].Length, 1, Delivery.DropIfBehind),
            new(frames[0].Length + frames[1].Length, frames[2].Length, 2, Delivery.LatestOnly(1)),
        ];

        Assert.Equal(2, harness.Connection.SendShared(new SharedFrames(block, 0, block.Written, 0, 3), loose, flush: true));
        block.Release();

        Assert.True(harness.Connection.IsOpen);
        Assert.Equal(["reliable", "newest"], Sent(harness)[1..]);
        Assert.Equal(1, harness.Metrics.Read(Counter.FramesSkipped));
        Assert.Equal(0, harness.Connection.OutboundBytes);
    }

    [Fact]
    public async Task A_writer_s_fault_leaves_what_waits_as_it_was()
    {
        await using ConnectionHarness harness = Held();
        Send(harness, "older", Delivery.LatestOnly(1));

        Assert.Throws<InvalidOperationException>(() => harness.Connection.Send(
            default, 10, 0, static (_, _) => throw new InvalidOperationException("A writer's fault."), Delivery.LatestOnly(1)));
        Assert.Throws<ArgumentException>(() => harness.Connection.Send(new byte[1 << 20], default, Delivery.LatestOnly(1)));
        harness.Stub.CompleteSend();

        Assert.Equal(["first", "older"], Sent(harness));
    }

    /// <summary>A connection whose first send is under way.</summary>
    private static ConnectionHarness Held(SlowConsumerPolicy policy = SlowConsumerPolicy.Disconnect, int maxOutboundBytes = 4096)
    {
        ConnectionHarness harness = ConnectionHarness.OnStub(
            configure: o => (o.MaxOutboundBytes, o.SlowConsumer) = (maxOutboundBytes, policy)).Start();
        harness.Stub.HoldSends = true;
        Assert.True(harness.Connection.Send("first"u8));
        return harness;
    }

    private static bool Send(ConnectionHarness harness, string text, Delivery delivery) =>
        harness.Connection.Send(Encoding.Latin1.GetBytes(text), default, delivery);

    private static string[] Sent(ConnectionHarness harness) => [.. SentFrames.Read(harness.Stub.Sent!.ToArray())];
}
