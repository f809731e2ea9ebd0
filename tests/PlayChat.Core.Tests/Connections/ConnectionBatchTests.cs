using System.Buffers;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class ConnectionBatchTests
{
    [Fact]
    public async Task What_a_batch_answers_after_others_have_sent_comes_behind_that()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Handler.OnFrame = static (Connection connection, in Frame _) =>
        {
            connection.Send([1]);
            OnAnotherThread(() => connection.Send([2]));
            connection.Send([3]); // may be caused by it
            return default;
        };

        harness.Stub.Feed(harness.Frame(0));

        Assert.Equal([0, 0, 0, 1, 1, 0, 0, 0, 1, 2, 0, 0, 0, 1, 3], harness.Stub.Sent!.ToArray());
        Assert.Equal(1, harness.Stub.Sends);
    }

    [Fact]
    public async Task A_frame_that_goes_back_after_others_have_sent_comes_behind_that()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Handler.OnFrame = static (Connection connection, in Frame frame) =>
        {
            connection.Send(in frame);
            OnAnotherThread(() => connection.Send([9]));
            return default;
        };

        harness.Stub.Feed((byte[])[.. harness.Frame([1]), .. harness.Frame([2])]);

        Assert.Equal(
            [0, 0, 0, 1, 1, 0, 0, 0, 1, 9, 0, 0, 0, 1, 2, 0, 0, 0, 1, 9],
            harness.Stub.Sent!.ToArray());
    }

    [Fact]
    public async Task A_sender_that_waits_for_the_room_that_a_batch_has_taken_does_not_spin()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(configure: static o =>
            (o.MaxOutboundBytes, o.SlowConsumer) = (4096, SlowConsumerPolicy.Wait)).Start();
        Task<bool>? waiting = null;
        harness.Handler.OnFrame = (Connection connection, in Frame _) =>
        {
            connection.Send(new byte[4000]);
            OnAnotherThread(() => waiting = connection.SendAsync(new byte[1000]).AsTask()); // comes back with a task
            return default;
        };

        harness.Stub.Feed(harness.Frame(0));

        Assert.True(await waiting!.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(4004 + 1004, harness.Stub.SentBytes);
    }

    [Fact]
    public async Task An_answer_that_a_close_has_overtaken_is_not_sent_behind_the_FIN()
    {
        var link = new StubLink();
        var handler = new RecordingHandler
        {
            OnFrame = static (Connection connection, in Frame _) =>
            {
                connection.Send([1]);
                return default;
            },
        };
        Connection? connection = null;
        using var metrics = new ServerMetrics();
        var services = new ConnectionServices
        {
            Format = FrameFormat.LengthPrefixed(),
            Handler = handler,
            Options = new ConnectionOptions(),
            // The memory of the answers is rented after the look at the state, and before anybody can see that there will be answers.
            Pool = new SegmentPool(new HookedArrays(length =>
            {
                if (length < SegmentPool.ReceiveBytes)
                {
                    connection!.Close();
                }
            })),
            Metrics = metrics,
            Time = TimeProvider.System,
            Logger = NullLogger.Instance,
        };
        connection = new Connection(link, services);
        connection.Start();

        link.Feed(new byte[] { 0, 0, 0, 1, 7 });

        Assert.True(link.IsShutdown);
        Assert.Equal(0, link.Sends);
        Assert.False(link.IsAborted);
        link.FeedEnd();
        Assert.Equal(CloseReason.LocalClose, await connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, services.Pool.Statistics.InUse);
    }

    private static void OnAnotherThread(Action action)
    {
        var other = new Thread(() => action()) { IsBackground = true };
        other.Start();
        Assert.True(other.Join(TestTimeouts.Hang));
    }

    private sealed class HookedArrays(Action<int> renting) : ArrayPool<byte>
    {
        public override byte[] Rent(int minimumLength)
        {
            renting(minimumLength);
            return new byte[minimumLength];
        }

        public override void Return(byte[] array, bool clearArray = false)
        {
        }
    }
}
