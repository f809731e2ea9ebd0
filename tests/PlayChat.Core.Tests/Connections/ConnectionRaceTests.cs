using System.Buffers.Binary;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class ConnectionRaceTests
{
    [Fact]
    public async Task Sends_from_many_threads_beside_batches_keep_each_senders_order_and_lose_nothing()
    {
        const int Senders = 4;
        const int FramesEach = 20_000;
        await using ConnectionHarness harness = ConnectionHarness.InMemory(configure: o => o.MaxOutboundBytes = 1 << 28).Start();
        harness.Handler.OnFrame = static (Connection connection, in Frame frame) =>
        {
            Assert.True(connection.Send(in frame));
            return default;
        };
        var start = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task[] senders = [.. Enumerable.Range(1, Senders).Select(sender => Task.Run(async () =>
        {
            await start.Task;
            byte[] body = new byte[8];
            for (int i = 0; i < FramesEach; i++)
            {
                Write(body, sender, i);
                Assert.True(harness.Connection.Send(body));
            }
        }))];
        Task pipelining = Task.Run(async () =>
        {
            await start.Task;
            byte[] body = new byte[8];
            for (int i = 0; i < FramesEach; i++)
            {
                Write(body, 0, i);
                await harness.Client.SendAsync(harness.Frame(body));
            }
        });

        start.SetResult();
        int[] next = new int[Senders + 1];
        byte[] received = await harness.Client.ReceiveAsync((Senders + 1) * FramesEach * 12);
        await Task.WhenAll([.. senders, pipelining]).WaitAsync(TestTimeouts.Hang);

        for (int at = 0; at < received.Length; at += 12)
        {
            int sender = BinaryPrimitives.ReadInt32LittleEndian(received.AsSpan(at + 4));
            Assert.Equal(next[sender]++, BinaryPrimitives.ReadInt32LittleEndian(received.AsSpan(at + 8)));
        }

        Assert.All(next, count => Assert.Equal(FramesEach, count));

        static void Write(byte[] body, int sender, int number)
        {
            BinaryPrimitives.WriteInt32LittleEndian(body, sender);
            BinaryPrimitives.WriteInt32LittleEndian(body.AsSpan(4), number);
        }
    }

    [Fact]
    public async Task What_others_send_while_a_batch_is_handled_comes_behind_the_batchs_earlier_answers()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Handler.OnFrame = static (Connection connection, in Frame _) =>
        {
            connection.Send([1]);
            var other = new Thread(() => connection.Send([2])); // caused by what was answered, so it must not overtake it
            other.Start();
            other.Join();
            return default;
        };

        harness.Stub.Feed(harness.Frame(0));

        Assert.Equal([0, 0, 0, 1, 1, 0, 0, 0, 1, 2], harness.Stub.Sent!.ToArray());
        Assert.Equal(1, harness.Stub.Sends);
    }

    [Theory]
    [InlineData(SlowConsumerPolicy.Disconnect)]
    [InlineData(SlowConsumerPolicy.DropNewest)]
    [InlineData(SlowConsumerPolicy.Wait)]
    public Task Sending_closing_aborting_and_ending_in_many_interleavings_leaks_nothing_and_ends_once(SlowConsumerPolicy policy) =>
        InterleaveAsync(policy, rounds: 300);

    [Theory]
    [InlineData(SlowConsumerPolicy.Disconnect)]
    [InlineData(SlowConsumerPolicy.DropNewest)]
    [InlineData(SlowConsumerPolicy.Wait)]
    [Trait("Tier", "Full")]
    public Task Sending_closing_aborting_and_ending_in_thousands_of_interleavings_leaks_nothing_and_ends_once(SlowConsumerPolicy policy) =>
        InterleaveAsync(policy, rounds: 3000);

    private static async Task InterleaveAsync(SlowConsumerPolicy policy, int rounds)
    {
        List<Exception> unobserved = [];
        void OnUnobserved(object? sender, UnobservedTaskExceptionEventArgs e)
        {
            lock (unobserved)
            {
                unobserved.Add(e.Exception);
            }
        }

        TaskScheduler.UnobservedTaskException += OnUnobserved;
        for (int seed = 0; seed < rounds; seed++)
        {
            await InterleaveOnceAsync(seed, policy).WaitAsync(TestTimeouts.Hang);
        }

        GC.Collect();
        GC.WaitForPendingFinalizers();
        TaskScheduler.UnobservedTaskException -= OnUnobserved;
        Assert.DoesNotContain(unobserved, static e => e.ToString().Contains("PlayChat.Core.Connections", StringComparison.Ordinal));
    }

    private static async Task InterleaveOnceAsync(int seed, SlowConsumerPolicy policy)
    {
        var random = new Random(seed);
        ConnectionHarness harness = ConnectionHarness.InMemory(
            configure: o => (o.MaxOutboundBytes, o.SlowConsumer) = (4096 + random.Next(8192), policy), linkBytes: 256 + random.Next(
                4096)).Start();
        bool asynchronous = random.Next(2) == 0;
        harness.Handler.OnFrame = (Connection connection, in Frame frame) => asynchronous
            ? AnswerAsync(connection, frame.ToArray())
            : Answer(connection, in frame);
        int end = random.Next(5);
        int endAfter = random.Next(60);
        using var barrier = new Barrier(2);
        Task peer = Task.Run(async () =>
        {
            byte[] frames = [.. Enumerable.Range(0, 10).SelectMany(harness.Frame)];
            for (int i = 0; i < 5 && await harness.Client.SendAsync(frames); i++)
            {
                await Task.Yield();
            }
        });
        Task reading = Task.Run(async () =>
        {
            byte[] buffer = new byte[512];
            while (await harness.Client.ReceiveAsync(buffer.AsMemory()) > 0)
            {
                // The bytes are nobody's business here.
            }

            harness.Client.Shutdown();
        });
        Task sending = Task.Run(async () =>
        {
            barrier.SignalAndWait();
            for (int i = 0; i < 60; i++)
            {
                if (policy == SlowConsumerPolicy.Wait)
                {
                    await harness.Connection.SendAsync(new byte[40]);
                }
                else
                {
                    harness.Connection.Send(new byte[40]);
                }
            }
        });
        Task ending = Task.Run(() =>
        {
            barrier.SignalAndWait();
            Thread.SpinWait(endAfter * 50);
            switch (end)
            {
                case 0:
                    harness.Connection.Close();
                    break;
                case 1:
                    harness.Connection.Abort();
                    break;
                case 2:
                    harness.Connection.Close();
                    harness.Connection.Abort();
                    break;
                case 3:
                    harness.Client.Abort();
                    break;
                default:
                    harness.Client.Shutdown();
                    break;
            }
        });

        await Task.WhenAll(sending, ending);
        await harness.Connection.Closed;
        await Task.WhenAll(peer, reading);
        Assert.Equal(1, harness.Handler.Closes);
        Assert.False(harness.Handler.ClosedTooEarly);
        Assert.Equal(0, harness.Metrics.SendBuffersInUse);
        await harness.DisposeAsync();

        static ValueTask Answer(Connection connection, in Frame frame)
        {
            connection.Send(in frame);
            return default;
        }

        static async ValueTask AnswerAsync(Connection connection, byte[] body)
        {
            connection.Send(body);
            await Task.Yield();
            await connection.SendAsync(body);
        }
    }
}
