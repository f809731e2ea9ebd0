using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class LargeAnswerTests
{
    private const int AnswerBytes = 1000;
    private const int Requests = 200;

    [Fact]
    public async Task A_peer_that_reads_gets_answers_larger_than_its_queue_to_one_batch_of_requests()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(configure: static o => o.MaxOutboundBytes = 16 * 1024);
        byte[] answer = new byte[AnswerBytes];
        harness.Handler.OnFrame = (Connection connection, in Frame _) =>
        {
            Assert.True(connection.Send(answer));
            return default;
        };
        harness.Start();

        harness.Stub.Feed(Enumerable.Range(0, Requests).SelectMany(harness.Frame).ToArray());

        await Eventually.TrueAsync(() => harness.Handler.Frames == Requests);
        await Eventually.TrueAsync(() => harness.Stub.SentBytes == Requests * harness.Frame(answer).Length);
        Assert.True(harness.Connection.IsOpen);
        Assert.InRange(harness.Stub.Sends, 2, Requests / 4);
    }

    [Fact]
    public async Task A_peer_that_does_not_read_is_handled_no_further_within_one_batch_either()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub(configure: static o => o.MaxOutboundBytes = 16 * 1024);
        byte[] answer = new byte[AnswerBytes];
        harness.Handler.OnFrame = (Connection connection, in Frame _) =>
        {
            Assert.True(connection.Send(answer));
            return default;
        };
        harness.Stub.HoldSends = true;
        harness.Start();

        harness.Stub.Feed(Enumerable.Range(0, Requests).SelectMany(harness.Frame).ToArray());
        await Eventually.TrueAsync(() => harness.Metrics.Read(Counter.ReadPauses) == 1);

        Assert.InRange(harness.Handler.Frames, 8, 9); // half of the queue
        Assert.True(harness.Connection.IsOpen);
        harness.Stub.HoldSends = false;
        harness.Stub.CompleteSend();
        await Eventually.TrueAsync(() => harness.Handler.Frames == Requests);
    }
}
