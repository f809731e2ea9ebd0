using PlayChat.Core.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class ConnectionSendTests
{
    private static readonly FrameCall s_echo = static (Connection connection, in Frame frame) =>
    {
        connection.Send(in frame);
        return default;
    };

    [Fact]
    public async Task The_answers_to_one_batch_go_out_in_one_send()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Handler.OnFrame = s_echo;
        byte[] batch = [.. Enumerable.Range(0, 100).SelectMany(harness.Frame)];

        harness.Stub.Feed(batch);

        Assert.Equal(1, harness.Stub.Sends);
        Assert.Equal(batch, harness.Stub.Sent!.ToArray());
    }

    [Fact]
    public async Task What_is_sent_while_a_send_is_under_way_goes_out_together_in_the_next()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Stub.HoldSends = true;

        for (byte i = 0; i < 10; i++)
        {
            Assert.True(harness.Connection.Send([i]));
        }

        Assert.Equal(1, harness.Stub.Sends);
        harness.Stub.CompleteSend();
        Assert.Equal(2, harness.Stub.Sends);
        Assert.Equal(10 * 5, harness.Stub.SentBytes);
    }

    [Fact]
    public async Task Under_Disconnect_a_full_queue_closes_as_SlowConsumer()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(configure: o => o.MaxOutboundBytes = 4096).Start();
        harness.Stub.HoldSends = true;

        while (harness.Connection.Send(new byte[100]))
        {
            Assert.True(harness.Connection.OutboundBytes <= 4096);
        }

        Assert.Equal(CloseReason.SlowConsumer, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, harness.Metrics.Read(Counter.SlowConsumers));
        Assert.True(harness.Stub.IsAborted);
    }

    [Fact]
    public async Task Under_DropNewest_a_full_queue_drops_and_counts_and_keeps_the_connection()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(
            configure: o => (o.MaxOutboundBytes, o.SlowConsumer) = (4096, SlowConsumerPolicy.DropNewest)).Start();
        harness.Stub.HoldSends = true;

        int sent = Enumerable.Range(0, 100).Count(_ => harness.Connection.Send(new byte[96]));

        Assert.Equal(40, sent); // 40 × 100 bytes
        Assert.Equal(60, harness.Metrics.Read(Counter.FramesDropped));
        Assert.True(harness.Connection.IsOpen);
        harness.Stub.CompleteSend();
        harness.Stub.CompleteSend();
        Assert.True(harness.Connection.Send(new byte[96]));
        Assert.Equal(41 * 100, harness.Stub.SentBytes);
    }

    [Fact]
    public async Task Under_Wait_only_SendAsync_waits_and_a_plain_send_disconnects()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(
            configure: o => (o.MaxOutboundBytes, o.SlowConsumer) = (4096, SlowConsumerPolicy.Wait)).Start();
        harness.Stub.HoldSends = true;
        Assert.True(await harness.Connection.SendAsync(new byte[4092]));

        ValueTask<bool> waiting = harness.Connection.SendAsync(new byte[10]);
        Assert.False(waiting.IsCompleted);
        harness.Stub.CompleteSend();
        Assert.True(await waiting.AsTask().WaitAsync(TestTimeouts.Hang));

        harness.Stub.CompleteSend();
        Assert.True(harness.Connection.Send(new byte[4092]));
        Assert.False(harness.Connection.Send(new byte[1]));
        Assert.Equal(CloseReason.SlowConsumer, harness.Connection.CloseReason);
    }

    [Fact]
    public async Task A_waiting_send_heeds_its_token_and_then_sends_nothing()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(
            configure: o => (o.MaxOutboundBytes, o.SlowConsumer) = (4096, SlowConsumerPolicy.Wait)).Start();
        harness.Stub.HoldSends = true;
        await harness.Connection.SendAsync(new byte[4092]);
        using var cancellation = new CancellationTokenSource();

        ValueTask<bool> waiting = harness.Connection.SendAsync(new byte[10], cancellationToken: cancellation.Token);
        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.AsTask().WaitAsync(TestTimeouts.Hang));
        harness.Stub.CompleteSend();
        Assert.Equal(1, harness.Stub.Sends);
    }

    [Fact]
    public async Task A_waiting_send_ends_with_the_connection()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(
            configure: o => (o.MaxOutboundBytes, o.SlowConsumer) = (4096, SlowConsumerPolicy.Wait)).Start();
        harness.Stub.HoldSends = true;
        await harness.Connection.SendAsync(new byte[4092]);
        ValueTask<bool> waiting = harness.Connection.SendAsync(new byte[10]);

        harness.Connection.Abort();

        Assert.False(await waiting.AsTask().WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_handler_under_Wait_that_fills_the_queue_is_held_until_the_peer_reads()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(
            configure: o => (o.MaxOutboundBytes, o.SlowConsumer) = (4096, SlowConsumerPolicy.Wait)).Start();
        harness.Stub.HoldSends = true;
        harness.Handler.OnFrame = static (Connection connection, in Frame _) => SendManyAsync(connection);

        harness.Stub.Feed(harness.Frame(1));
        int held = harness.Stub.Sends;
        await Eventually.TrueAsync(() =>
        {
            harness.Stub.CompleteSend();
            return harness.Stub.SentBytes == 20 * 1000;
        });

        Assert.Equal(1, held);
        Assert.True(harness.Connection.IsOpen);

        static async ValueTask SendManyAsync(Connection connection)
        {
            for (int i = 0; i < 20; i++)
            {
                Assert.True(await connection.SendAsync(new byte[996]));
            }
        }
    }

    [Fact]
    public async Task A_waiting_send_in_a_batch_whose_connection_was_aborted_gives_false()
    {
        bool? sent = null;
        await using ConnectionHarness harness = ConnectionHarness.OnStub(
            configure: o => (o.MaxOutboundBytes, o.SlowConsumer) = (4096, SlowConsumerPolicy.Wait)).Start();
        harness.Handler.OnFrame = (Connection connection, in Frame _) => SendAsync(connection);

        harness.Stub.Feed(harness.Frame(1));

        Assert.False(sent);
        Assert.Equal(CloseReason.TakenOver, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, harness.Metrics.Read(Counter.HandlerFaults));

        async ValueTask SendAsync(Connection connection)
        {
            connection.Abort(CloseReason.TakenOver);
            sent = await connection.SendAsync(new byte[10]);
        }
    }

    [Fact]
    public async Task A_batch_adds_nothing_to_a_queue_that_others_have_filled()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(
            configure: o => (o.MaxOutboundBytes, o.SlowConsumer) = (4096, SlowConsumerPolicy.DropNewest)).Start();
        harness.Stub.HoldSends = true;
        bool? sent = null;
        harness.Handler.OnFrame = (Connection connection, in Frame _) =>
        {
            sent = connection.Send(new byte[2000]);
            return default;
        };
        harness.Connection.Send(new byte[4000]);

        harness.Stub.Feed(harness.Frame(1));

        Assert.False(sent);
        Assert.Equal(4004, harness.Connection.OutboundBytes);
    }

    [Fact]
    public async Task A_peer_that_pipelines_without_reading_is_not_read_further_and_recovers_when_it_reads()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(configure: o => o.MaxOutboundBytes = 8192).Start();
        harness.Handler.OnFrame = s_echo;
        harness.Stub.HoldSends = true;
        byte[] frame = harness.Frame(new byte[1020]);

        for (int i = 0; i < 100; i++)
        {
            harness.Stub.Feed(frame);
        }

        Assert.Equal(5, harness.Handler.Frames); // more than half of the bound waits: no further
        Assert.Equal(1, harness.Metrics.Read(Counter.ReadPauses));
        Assert.False(harness.Stub.IsReceiving);

        harness.Stub.HoldSends = false;
        harness.Stub.CompleteSend();
        await Eventually.TrueAsync(() => harness.Stub.SentBytes == 100 * 1024);
        Assert.True(harness.Connection.IsOpen);
    }

    [Fact]
    public async Task A_frame_whose_writer_throws_is_not_sent_and_leaks_nothing()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Handler.OnFrame = static (Connection connection, in Frame _) =>
        {
            Assert.Throws<InvalidOperationException>(() => SendBadly(connection));
            return default;
        };

        harness.Stub.Feed(harness.Frame(1));
        Assert.Throws<InvalidOperationException>(() => SendBadly(harness.Connection));
        harness.Stub.FeedEnd();

        Assert.Equal(CloseReason.PeerClosed, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, harness.Stub.Sends);
        harness.Pool.Verify();

        static void SendBadly(Connection connection) =>
            connection.Send(default, 10, 0, static (_, _) => throw new InvalidOperationException("A writer's fault."));
    }

    [Fact]
    public async Task A_transport_that_throws_ends_the_connection_and_reaches_no_sender()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Stub.ThrowOnSend = true;

        harness.Connection.Send([1]);

        Assert.Equal(CloseReason.TransportFault, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, harness.Logger.Count("SendFault"));
    }

    [Fact]
    public async Task Blocks_that_fit_are_sent_even_when_the_last_one_of_a_turn_is_dropped()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(
            configure: o => (o.MaxOutboundBytes, o.SlowConsumer) = (4096, SlowConsumerPolicy.DropNewest)).Start();
        Segment block = harness.Pool.RentSegment(3000);
        block.Written = 3000;

        Assert.True(harness.Connection.SendShared(block, 1, flush: false));
        Assert.False(harness.Connection.SendShared(block, 1, flush: true));
        block.Release();

        Assert.Equal(3000, harness.Stub.SentBytes);
    }

    [Fact]
    public async Task A_body_that_the_format_cannot_carry_is_the_callers_fault()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(FrameFormat.LengthPrefixed(10)).Start();

        Assert.Throws<ArgumentException>(() => harness.Connection.Send(new byte[11]));
        Assert.True(harness.Connection.Send(new byte[10]));
    }
}
