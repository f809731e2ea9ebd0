using System.Text;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

/// <summary>The outbound queue beside a list, a table and a number, over random sequences of what can happen.</summary>
public sealed class ConnectionDeliveryModelTests
{
    [Fact]
    public async Task The_queue_does_what_the_model_does()
    {
        for (int seed = 0; seed < 300; seed++)
        {
            await RunAsync(new Random(seed), seed);
        }
    }

    private static async Task RunAsync(Random random, int seed)
    {
        int bound = 4096 << random.Next(4);
        await using ConnectionHarness harness = ConnectionHarness.OnStub(
            configure: o => (o.MaxOutboundBytes, o.SlowConsumer) = (bound, SlowConsumerPolicy.DropNewest)).Start();
        harness.Stub.HoldSends = true;
        var model = new Model(bound);
        for (int step = 0; step < 300; step++)
        {
            if (random.Next(12) == 0)
            {
                model.Complete();
                harness.Stub.CompleteSend();
            }
            else
            {
                Delivery delivery = random.Next(4) switch
                {
                    0 => Delivery.Reliable,
                    1 => Delivery.DropIfBehind,
                    _ => Delivery.LatestOnly(random.Next(12)),
                };
                string body = $"{step}:" + new string('x', random.Next(40) == 0 ? random.Next(6000) : random.Next(60));
                Assert.True(
                model.Send(body, delivery) == harness.Connection.Send(Encoding.Latin1.GetBytes(body), default, delivery),
                $"seed {seed}, step {step}");
            }

            Assert.True(
                model.Bytes == harness.Connection.OutboundBytes,
                $"seed {seed}, step {step}: {model.Bytes}, {harness.Connection.OutboundBytes}");
        }

        while (model.Bytes > 0)
        {
            model.Complete();
            harness.Stub.CompleteSend();
        }

        List<string> sent = SentFrames.Read(harness.Stub.Sent!.ToArray());
        int at = 0;
        foreach ((List<string> queued, HashSet<string> latest) in model.Sends)
        {
            Assert.Equal(queued, sent.GetRange(at, queued.Count));
            at += queued.Count;
            Assert.Equal(latest.Order(StringComparer.Ordinal), sent.GetRange(at, latest.Count).Order(StringComparer.Ordinal));
            at += latest.Count;
        }

        Assert.Equal(sent.Count, at);
        Assert.Equal(model.Sends.Count, harness.Stub.Sends);
        Assert.Equal(model.Replaced, harness.Metrics.Read(Counter.FramesReplaced));
        Assert.Equal(model.Skipped, harness.Metrics.Read(Counter.FramesSkipped));
        Assert.Equal(model.Dropped, harness.Metrics.Read(Counter.FramesDropped));
        Assert.Equal(0, harness.Metrics.SendBuffersInUse);
    }

    private sealed class Model(int bound)
    {
        private readonly List<string> _queued = [];
        private readonly Dictionary<long, string> _latest = [];
        private int _underWay;

        internal List<(List<string> Queued, HashSet<string> Latest)> Sends { get; } = [];

        internal int Replaced { get; private set; }

        internal int Skipped { get; private set; }

        internal int Dropped { get; private set; }

        internal int Bytes => _underWay + _queued.Sum(static body => body.Length + 4) + _latest.Values.Sum(static body => body.Length + 4);

        internal bool Send(string body, Delivery delivery)
        {
            if (_underWay == 0)
            {
                _queued.Add(body);
                Begin();
                return true;
            }

            if (delivery.IsLatestOnly)
            {
                string? older = _latest.GetValueOrDefault(delivery.Key);
                if (Bytes - (older is null ? 0 : older.Length + 4) + body.Length + 4 > bound)
                {
                    Dropped++;
                    return false;
                }

                Replaced += older is null ? 0 : 1;
                _latest[delivery.Key] = body;
                return true;
            }

            bool fits = Bytes + body.Length + 4 <= bound;
            if (delivery.IsReliable)
            {
                Dropped += fits ? 0 : 1;
            }
            else
            {
                fits &= Bytes <= bound / 16;
                Skipped += fits ? 0 : 1;
            }

            if (fits)
            {
                _queued.Add(body);
            }

            return fits;
        }

        internal void Complete()
        {
            _underWay = 0;
            if (_queued.Count + _latest.Count > 0)
            {
                Begin();
            }
        }

        private void Begin()
        {
            _underWay = Bytes;
            Sends.Add(([.. _queued], [.. _latest.Values]));
            _queued.Clear();
            _latest.Clear();
        }
    }
}
