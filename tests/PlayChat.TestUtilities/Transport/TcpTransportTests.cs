using System.Net;
using System.Net.Sockets;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities.Processes;
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

    [Fact]
    public async Task A_passed_descriptor_takes_connections_and_its_socket_outlives_the_listener()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), SharedListener.SkipReason);
        using var shared = new SharedListener();
        using var early = new TcpClient();
        await early.ConnectAsync(shared.EndPoint); // waits in the backlog, as during a restart

        // Three numbers: the runtime's engine does not forget a number while the socket lives.
        foreach (int descriptor in new[] { shared.Duplicate(), shared.Duplicate(), shared.Duplicate() })
        {
            string? socket = OpenFile.Behind(descriptor);
            await using (TransportListener listener = Transport.Listen(new DescriptorEndPoint(descriptor), new TransportOptions()))
            {
                Assert.Equal(shared.EndPoint, listener.EndPoint);
                using TransportConnection? waiting = await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang);
                Assert.NotNull(waiting);
                Task<TransportConnection?> accepting = listener.AcceptAsync().AsTask();
                using var live = new TcpClient();
                await live.ConnectAsync(shared.EndPoint);
                using TransportConnection? accepted = await accepting.WaitAsync(TestTimeouts.Hang);
                Assert.NotNull(accepted);
            }

            // Closed; the number may belong to a file of another test by now.
            Assert.NotEqual(socket, OpenFile.Behind(descriptor), StringComparer.Ordinal);
            using var between = new TcpClient();
            await between.ConnectAsync(shared.EndPoint);
        }
    }

    [Fact]
    public void A_descriptor_that_is_no_listening_socket_is_a_ListenFailedException_and_stays_open()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), SharedListener.SkipReason);
        using var unbound = new SharedListener(listens: false);
        int descriptor = unbound.Duplicate();
        string? socket = OpenFile.Behind(descriptor);

        ListenFailedException e = Assert.Throws<ListenFailedException>(
            () => Transport.Listen(new DescriptorEndPoint(descriptor), new TransportOptions()));

        Assert.Equal(
            $"Cannot listen on descriptor {descriptor}: it is not a listening TCP socket; see how the process that passes it makes it.",
            e.Message);
        Assert.Equal(socket, OpenFile.Behind(descriptor));
        SharedListener.Close(descriptor);
    }

    private sealed class UnknownEndPoint : EndPoint
    {
        public override AddressFamily AddressFamily => AddressFamily.AppleTalk;

        public override string ToString() => "an address of no family that there is";
    }
}
