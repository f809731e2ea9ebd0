using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

[Collection(nameof(RunsAlone))]
public sealed class ConnectionAllocationTests
{
    private const int RequestIdOffset = 6; // after the length and the packet id: proto/PROTOCOL.md, "Packets"

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

    [Fact]
    public async Task A_request_that_is_awaited_and_answered_in_time_allocates_one_object()
    {
        const int MaxObjectBytes = 136;
        await using ConnectionHarness harness = ConnectionHarness.OnStub(FrameFormat.Packet());
        harness.Packets.Add(new NumberPacket(1)); // an answer without an object of its own
        harness.Start();
        harness.Stub.Sent = null;
        object request = 1L;
        ushort id = 0;
        byte[] answer = harness.Frame(new byte[sizeof(long)], new FrameHeader(PacketId: 1, RequestId: 1));
        using var continued = new AutoResetEvent(false);
        Action continuation = () => continued.Set();

        long allocated = AllocatedBytes.InSteadyState(() =>
        {
            id++;
            BinaryPrimitives.WriteUInt16BigEndian(answer.AsSpan(RequestIdOffset), id);
            ValueTaskAwaiter<long> awaiter = harness.Connection.RequestAsync<long>(request, TimeSpan.FromMinutes(1)).GetAwaiter();
            awaiter.UnsafeOnCompleted(continuation);
            harness.Stub.Feed(answer);
            Assert.True(continued.WaitOne(TestTimeouts.Hang));
#pragma warning disable VSTHRD002 // it has completed
            awaiter.GetResult();
#pragma warning restore VSTHRD002
        });

        Assert.InRange(allocated, 1, 1000 * MaxObjectBytes);
    }
}
