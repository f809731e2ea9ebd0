using System.Net;
using System.Net.Sockets;

namespace PlayChat.TestUtilities.Transport;

/// <summary>A port of the loopback that refuses connections. It is bound, so that no other program gets it meanwhile, and does not
/// listen.</summary>
public sealed class RefusingPort : IDisposable
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    /// <summary>Takes a free port.</summary>
    public RefusingPort() => _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));

    /// <summary>Its address.</summary>
    public IPEndPoint EndPoint => (IPEndPoint)_socket.LocalEndPoint!;

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();
}
