using System.Net;
using System.Net.Sockets;
using PlayChat.Core.Transport;
using Xunit;

namespace PlayChat.TestUtilities.Transport;

/// <summary>Tests that every transport over TCP must pass.</summary>
public abstract class TcpTransportTests : TransportContractTests
{
    protected override EndPoint AnyEndPoint => new IPEndPoint(IPAddress.Loopback, 0);

    [Fact]
    public void A_listener_that_cannot_have_a_socket_at_all_is_a_ListenFailedException() =>
        Assert.Throws<ListenFailedException>(() => Transport.Listen(new UnknownEndPoint(), new TransportOptions()));

    [Fact]
    public async Task A_connect_that_cannot_have_a_socket_at_all_is_a_ConnectFailedException() =>
        await Assert.ThrowsAsync<ConnectFailedException>(
            () => Transport.ConnectAsync(new UnknownEndPoint(), new TransportOptions()).AsTask());

    [Fact]
    public async Task A_connect_can_be_cancelled_and_leaves_nothing_open()
    {
        using var cancellation = new CancellationTokenSource();
        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => Transport.ConnectAsync(
                new IPEndPoint(IPAddress.Loopback, 9), new TransportOptions(), cancellationToken: cancellation.Token).AsTask());
    }

    [Fact]
    public async Task A_dual_stack_listener_takes_both_families_and_a_name_is_resolved()
    {
        Assert.SkipUnless(Socket.OSSupportsIPv6, "This machine has no IPv6.");
        await using TransportListener listener = Transport.Listen(new IPEndPoint(IPAddress.IPv6Any, 0), new TransportOptions());
        int port = ((IPEndPoint)listener.EndPoint).Port;

        foreach (EndPoint endPoint in new EndPoint[] { new IPEndPoint(IPAddress.Loopback, port), new DnsEndPoint("localhost", port) })
        {
            using TransportConnection client = await Transport.ConnectAsync(endPoint, new TransportOptions());
            using TransportConnection? server = await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang);
            Assert.NotNull(server);
        }
    }

    private sealed class UnknownEndPoint : EndPoint
    {
        public override AddressFamily AddressFamily => AddressFamily.AppleTalk;

        public override string ToString() => "an address of no family that there is";
    }
}
