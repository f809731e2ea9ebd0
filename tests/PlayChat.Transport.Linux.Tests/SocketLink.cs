using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Transport.Linux.Tests;

/// <summary>A link over a real socket, whose peer is a socket of the runtime.</summary>
internal sealed class SocketLink : IDisposable
{
    private readonly LinuxTransport _transport = NativeTransport.Create(loops: 1);

    internal SocketLink(TransportOptions? options = null)
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var endPoint = (IPEndPoint)listener.LocalEndPoint!;
        RawAddress address = RawAddress.From(endPoint);
        int fd = LinuxSocket.Create(endPoint, options ?? new TransportOptions());
        Link = new LinuxConnection(_transport.Loops[0], fd, in address, NullLogger.Instance);
        LinuxSocket.Connect(fd, in address);
        Peer = listener.Accept(); // our side is connected before the peer's is accepted
    }

    internal LinuxConnection Link { get; }

    internal Socket Peer { get; }

    /// <summary>The peer goes without an end in order.</summary>
    internal void ResetByPeer()
    {
        Peer.LingerState = new LingerOption(enable: true, seconds: 0);
        Peer.Dispose();
    }

    /// <summary>The peer reads so many bytes.</summary>
    internal byte[] ReadByPeer(int count)
    {
        byte[] bytes = new byte[count];
        Peer.ReceiveTimeout = (int)TestTimeouts.Hang.TotalMilliseconds;
        for (int read = 0; read < count;)
        {
            int more = Peer.Receive(bytes, read, count - read, SocketFlags.None);
            Assert.NotEqual(0, more);
            read += more;
        }

        return bytes;
    }

    public void Dispose()
    {
        Link.Dispose();
        Peer.Dispose();
        _transport.Dispose();
    }
}
