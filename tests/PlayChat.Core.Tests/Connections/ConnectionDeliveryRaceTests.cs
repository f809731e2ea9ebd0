using System.Buffers.Binary;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class ConnectionDeliveryRaceTests
{
    [Fact]
    public async Task Of_many_senders_beside_batches_all_reliable_frames_arrive_in_order_and_of_each_key_the_last_and_none_out_of_order()
    {
        const int Senders = 4;
        const int FramesEach = 10_000;
        await using ConnectionHarness harness = ConnectionHarness.InMemory(
            configure: o => o.MaxOutboundBytes = 1 << 28, linkBytes: 512).Start();
        harness.Handler.OnFrame = static (Connection connection, in Frame frame) =>
        {
            connection.Send(in frame);
            connection.Send(
                Body(1000, BinaryPrimitives.ReadInt32LittleEndian(frame.ToArray().AsSpan(4))), default, Delivery.LatestOnly(1000));
            return default;
        };
        Task[] senders = [.. Enumerable.Range(1, Senders).Select(sender => Task.Run(() =>
        {
            for (int i = 0; i < FramesEach; i++)
            {
                Assert.True(i % 8 == 0
                    ? harness.Connection.Send(Body(sender, i))
                    : harness.Connection.Send(
                        Body(sender + (10 * (i % 3)) + 10, i), default, Delivery.LatestOnly(sender + (10 * (i % 3)))));
            }
        }))];
        Task pipelining = Task.Run(async () =>
        {
            for (int i = 0; i < 1000; i++)
            {
                await harness.Client.SendAsync(harness.Frame(Body(0, i)));
            }
        });

        Dictionary<int, int> last = [];
        Dictionary<int, int> counts = [];
        Task reading = Task.Run(async () =>
        {
            while (true)
            {
                byte[] frame = await harness.Client.ReceiveAsync(12);
                if (frame.Length < 12)
                {
                    return;
                }

                int kind = BinaryPrimitives.ReadInt32LittleEndian(frame.AsSpan(4));
                int number = BinaryPrimitives.ReadInt32LittleEndian(frame.AsSpan(8));
                Assert.True(number >= last.GetValueOrDefault(kind, -1), $"{kind}: {number} after {last.GetValueOrDefault(kind)}");
                last[kind] = number;
                counts[kind] = counts.GetValueOrDefault(kind) + 1;
            }
        });
        await Task.WhenAll([.. senders, pipelining]).WaitAsync(TestTimeouts.Hang);
        await Eventually.TrueAsync(() => harness.Handler.Frames == 1000);
        harness.Connection.Close();
        await reading.WaitAsync(TestTimeouts.Hang);
        harness.Client.Shutdown();

        for (int sender = 1; sender <= Senders; sender++)
        {
            Assert.Equal(FramesEach / 8, counts[sender]);
            for (int rest = 0; rest < 3; rest++)
            {
                int newest = Enumerable.Range(0, FramesEach).Last(i => i % 8 != 0 && i % 3 == rest);
                Assert.Equal(newest, last[sender + (10 * rest) + 10]);
            }
        }

        Assert.Equal(999, last[0]);
        Assert.Equal(1000, counts[0]);
        Assert.Equal(999, last[1000]);

        static byte[] Body(int kind, int number)
        {
            byte[] body = new byte[8];
            BinaryPrimitives.WriteInt32LittleEndian(body, kind);
            BinaryPrimitives.WriteInt32LittleEndian(body.AsSpan(4), number);
            return body;
        }
    }

    [Fact]
    public Task Frames_that_wait_leak_nothing_when_the_connection_ends() => EndAsync(rounds: 200);

    [Fact]
    [Trait("Tier", "Full")]
    public Task Frames_that_wait_leak_nothing_whenever_the_connection_ends() => EndAsync(rounds: 1000);

    private static async Task EndAsync(int rounds)
    {
        for (int seed = 0; seed < rounds; seed++)
        {
            var random = new Random(seed);
            ConnectionHarness harness = ConnectionHarness.InMemory(
                configure: o => (o.MaxOutboundBytes, o.SlowConsumer) = (4096 + random.Next(8192), (SlowConsumerPolicy)random.Next(2)),
                linkBytes: 256 + random.Next(2048)).Start();
            bool closes = random.Next(2) == 0;
            int endAfter = random.Next(3000);
            using var barrier = new Barrier(3);
            Task[] sending = [.. Enumerable.Range(0, 2).Select(sender => Task.Run(() =>
            {
                barrier.SignalAndWait();
                for (int i = 0; i < 60; i++)
                {
                    Delivery delivery = (i % 4) switch { 0 => Delivery.Reliable, 1 => Delivery.DropIfBehind, _ => Delivery.LatestOnly(
                        i % 7) };
                    harness.Connection.Send(new byte[40 + (i % 5)], default, delivery);
                }
            }))];
            Task reading = Task.Run(async () =>
            {
                await harness.Client.ReceiveToEndAsync();
                harness.Client.Shutdown();
            });
            barrier.SignalAndWait();
            Thread.SpinWait(endAfter);
            if (closes)
            {
                harness.Connection.Close();
            }
            else
            {
                harness.Connection.Abort();
            }

            await Task.WhenAll(sending).WaitAsync(TestTimeouts.Hang);
            await harness.Connection.Closed.WaitAsync(TestTimeouts.Hang);
            await reading.WaitAsync(TestTimeouts.Hang);
            Assert.Equal(0, harness.Metrics.SendBuffersInUse);
            await harness.DisposeAsync();
        }
    }
}
