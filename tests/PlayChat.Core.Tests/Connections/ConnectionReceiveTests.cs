using System.Buffers;
using System.Buffers.Binary;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class ConnectionReceiveTests
{
    [Fact]
    public async Task Frames_are_handled_in_the_order_of_their_arrival_wherever_the_stream_is_split()
    {
        byte[] stream;
        {
            await using ConnectionHarness example = ConnectionHarness.OnStub().Start();
            stream = [.. Enumerable.Range(0, 5).SelectMany(i => example.Frame(new byte[i * 3].Select(_ => (byte)i).ToArray()))];
        }

        for (int split = 1; split < stream.Length; split++)
        {
            List<byte[]> handled = [];
            await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
            harness.Handler.OnFrame = (Connection _, in Frame frame) =>
            {
                handled.Add(frame.ToArray());
                return default;
            };

            harness.Stub.Feed(stream.AsMemory(0, split));
            harness.Stub.Feed(stream.AsMemory(split));

            Assert.Equal([0, 3, 6, 9, 12], handled.Select(body => body.Length));
            Assert.All(handled, body => Assert.All(body, b => Assert.Equal(body.Length / 3, b)));
        }
    }

    [Fact]
    public async Task Frames_that_come_byte_by_byte_are_handled()
    {
        List<int> handled = [];
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            handled.Add(BinaryPrimitives.ReadInt32LittleEndian(frame.ToArray()));
            return default;
        };

        foreach (byte b in Enumerable.Range(0, 20).SelectMany(harness.Frame))
        {
            harness.Stub.Feed(new[] { b });
        }

        Assert.Equal(Enumerable.Range(0, 20), handled);
    }

    [Fact]
    public async Task A_frame_larger_than_a_receive_buffer_is_put_together()
    {
        byte[] body = new byte[300_000];
        new Random(1).NextBytes(body);
        byte[]? handled = null;
        await using ConnectionHarness harness = ConnectionHarness.OnStub(FrameFormat.LengthPrefixed(1 << 20)).Start();
        harness.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            handled = frame.ToArray();
            return default;
        };

        harness.Stub.Feed(harness.Frame(body));

        // Receives that complete at once give way after some rounds, so the last ones come from the pool.
        await Eventually.TrueAsync(() => Volatile.Read(ref handled) is not null);
        Assert.Equal(body, handled);
    }

    [Fact]
    public async Task A_frame_over_the_limit_closes_as_FrameTooLarge()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(FrameFormat.LengthPrefixed(100)).Start();

        harness.Stub.Feed(new byte[] { 0, 0, 0, 101 });
        harness.Stub.FeedEnd();

        Assert.Equal(CloseReason.FrameTooLarge, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, harness.Handler.Frames);
        Assert.Equal(1, harness.Metrics.Read(Counter.ProtocolViolations));
    }

    [Fact]
    public async Task A_malformed_frame_closes_as_ProtocolViolation_after_the_good_ones_before_it()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(FrameFormat.Packet()).Start();

        harness.Stub.Feed(new byte[] { 0, 0, 0, 4, 0, 1, 0, 0, /* too short for its ids: */ 0, 0, 0, 3, 0, 1, 0 });
        harness.Stub.FeedEnd();

        Assert.Equal(CloseReason.ProtocolViolation, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, harness.Handler.Frames);
    }

    [Fact]
    public async Task A_handler_that_throws_closes_its_own_connection_as_HandlerFault_and_no_other()
    {
        await using ConnectionHarness other = ConnectionHarness.OnStub().Start();
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Handler.OnFrame = static (Connection _, in Frame _) => throw new InvalidOperationException("A handler's fault.");

        harness.Stub.Feed((byte[])[.. harness.Frame(1), .. harness.Frame(2)]);
        harness.Stub.FeedEnd();
        other.Stub.Feed(other.Frame(1));

        Assert.Equal(CloseReason.HandlerFault, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, harness.Handler.Frames);
        Assert.Equal(1, harness.Logger.Count("HandlerFault"));
        Assert.True(other.Connection.IsOpen);
        Assert.Equal(1, other.Handler.Frames);
    }

    [Fact]
    public async Task An_asynchronous_handler_that_fails_closes_as_HandlerFault()
    {
        var work = new TaskCompletionSource();
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Handler.OnFrame = (Connection _, in Frame _) => new ValueTask(work.Task);

        harness.Stub.Feed(harness.Frame(1));
        work.SetException(new InvalidOperationException("A handler's fault."));
        harness.Stub.FeedEnd();

        Assert.Equal(CloseReason.HandlerFault, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, harness.Metrics.Read(Counter.HandlerFaults));
    }

    [Fact]
    public async Task The_next_frame_waits_for_an_asynchronous_handler_and_its_body_stays_valid()
    {
        var work = new TaskCompletionSource();
        ReadOnlySequence<byte> kept = default;
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            if (harness.Handler.Frames > 1)
            {
                return default;
            }

            kept = frame.Body;
            return new ValueTask(work.Task);
        };

        harness.Stub.Feed((byte[])[.. harness.Frame([1, 2, 3]), .. harness.Frame([4])]);

        Assert.Equal(1, harness.Handler.Frames);
        Assert.Equal([1, 2, 3], kept.ToArray());
        work.SetResult();
        await Eventually.TrueAsync(() => harness.Handler.Frames == 2);
    }

    [Fact]
    public async Task The_token_of_a_handler_is_cancelled_by_an_abort_and_heeding_it_is_no_fault()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Handler.OnFrame = static (Connection connection, in Frame _) =>
            new ValueTask(Task.Delay(Timeout.Infinite, connection.Aborted));
        harness.Stub.Feed(harness.Frame(1));

        harness.Connection.Abort(CloseReason.TakenOver);

        Assert.Equal(CloseReason.TakenOver, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, harness.Metrics.Read(Counter.HandlerFaults));
        Assert.False(harness.Handler.ClosedTooEarly);
    }

    [Fact]
    public async Task A_callback_of_the_token_that_throws_reaches_nobody_who_aborts()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        using CancellationTokenRegistration registration =
            harness.Connection.Aborted.Register(static () => throw new InvalidOperationException("The application's fault."));

        harness.Connection.Abort();

        Assert.Equal(CloseReason.LocalClose, await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_silent_connection_holds_no_segment_and_a_talking_one_does()
    {
        await using ConnectionHarness harness = ConnectionHarness.InMemory().Start();
        Assert.Equal(0, harness.Pool.InUse); // never heard

        for (int i = 0; i < 20; i++)
        {
            await SendAndWaitAsync();
        }

        await Eventually.TrueAsync(() => harness.Pool.InUse == 1); // talking: it waits with its buffer at hand

        harness.Time.Advance(harness.Options.SilentAfter);
        await SendAndWaitAsync();
        await Eventually.TrueAsync(() => harness.Pool.InUse == 0); // a frame after a pause, and silence again

        async Task SendAndWaitAsync()
        {
            int before = harness.Handler.Frames;
            await harness.Client.SendAsync(harness.Frame(1));
            await Eventually.TrueAsync(() => harness.Handler.Frames == before + 1);
        }
    }

    [Fact]
    public async Task A_connection_that_spoke_only_at_its_start_holds_no_segment()
    {
        await using ConnectionHarness harness = ConnectionHarness.InMemory().Start();

        for (int i = 0; i < 3; i++) // log in, join, say hello
        {
            await harness.Client.SendAsync(harness.Frame(1));
            await Eventually.TrueAsync(() => harness.Handler.Frames == i + 1);
        }

        await Eventually.TrueAsync(() => harness.Pool.InUse == 0);
    }
}
