using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

[Collection(nameof(RunsAlone))]
public sealed class ConnectionAllocationTests
{
    [Theory]
    [InlineData(30, 64)]
    [InlineData(200, 8)]
    public async Task An_echoed_frame_allocates_nothing(int frames, int bodyBytes)
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Stub.Sent = null;
        harness.Handler.OnFrame = static (Connection connection, in Frame frame) =>
        {
            connection.Send(in frame);
            return default;
        };
        byte[] batch = [.. Enumerable.Range(0, frames).SelectMany(_ => harness.Frame(new byte[bodyBytes]))];

        long allocated = AllocatedBytes.InSteadyState(() => harness.Stub.Feed(batch));

        Assert.Equal(0, allocated);
        Assert.True(harness.Stub.SentBytes > 0);
    }

    [Fact]
    public async Task A_send_from_another_thread_allocates_nothing()
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        harness.Stub.Sent = null;
        byte[] body = new byte[64];

        Assert.Equal(0, AllocatedBytes.InSteadyState(() => harness.Connection.Send(body)));
    }
}
