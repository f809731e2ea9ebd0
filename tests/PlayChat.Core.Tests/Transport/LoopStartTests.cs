using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;
using PlayChat.Transport.Linux;

namespace PlayChat.Core.Tests.Transport;

/// <summary>An event loop whose thread the system does not start at first.</summary>
public sealed class LoopStartTests : IDisposable
{
    private static readonly IPEndPoint s_any = new(IPAddress.Loopback, 0);

    private readonly LinuxTransport _transport = NativeTransport.Create(loops: 1);
    private readonly EpollLoop _loop;
    private int _starts;

    public LoopStartTests() => _loop = new EpollLoop("refused once", thread =>
    {
        if (_starts++ == 0)
        {
#pragma warning disable MA0012 // reserved to the runtime, which throws it here
            throw new InsufficientMemoryException();
#pragma warning restore MA0012
        }

        thread.UnsafeStart();
    });

    public void Dispose() => _transport.Dispose();

    [Fact]
    public async Task A_link_whose_loop_cannot_start_ends_in_the_ordinary_way_and_the_next_is_served()
    {
        await using TransportListener listener = _transport.Listen(s_any, new TransportOptions());
        await using (var refused = new RequestPeer(Connect(listener.EndPoint)))
        {
            refused.Connection.Start();

            Assert.Equal(CloseReason.TransportFault, await refused.Connection.Closed.WaitAsync(TestTimeouts.Hang));
            Assert.Equal(0, refused.Logger.Count("ReceiveFault")); // nothing was thrown
            Assert.False(_loop.IsRunning);
            (await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang))!.Dispose();
        }

        using TransportConnection next = Connect(listener.EndPoint);
        using TransportConnection peer = (await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang))!;
        Task waiting = next.WaitForDataAsync().AsTask();
        await peer.SendAsync(new byte[] { 7 });

        await waiting.WaitAsync(TestTimeouts.Hang);
        Assert.Equal([7], await next.ReceiveAsync(1));
    }

    [Fact]
    public async Task A_listener_whose_loop_cannot_start_is_refused_and_the_next_is_served()
    {
        SocketException e = Assert.Throws<SocketException>(Listen);
        await using TransportListener listener = Listen();
        Task<TransportConnection?> accepting = listener.AcceptAsync().AsTask();
        using TransportConnection client = await _transport.ConnectAsync(listener.EndPoint, new TransportOptions());

        Assert.Equal(SocketError.NoBufferSpaceAvailable, e.SocketErrorCode);
        (await accepting.WaitAsync(TestTimeouts.Hang))!.Dispose();
    }

    private LinuxListener Listen() => LinuxListener.Start(_transport, _loop, s_any, new TransportOptions(), NullLogger.Instance);

    private LinuxConnection Connect(EndPoint endPoint)
    {
        int fd = LinuxSocket.Create(endPoint, new TransportOptions());
        RawAddress address = RawAddress.From((IPEndPoint)endPoint);
        LinuxSocket.Connect(fd, in address); // on loopback it is done when the call returns
        return new LinuxConnection(_loop, fd, in address, NullLogger.Instance);
    }
}
