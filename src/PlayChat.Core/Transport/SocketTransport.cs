using System.Net;
using System.Net.Sockets;

namespace PlayChat.Core.Transport;

/// <summary>TCP by the runtime's sockets: I/O completion ports on Windows, epoll or kqueue elsewhere. Stateless and thread-safe.</summary>
public sealed partial class SocketTransport : ITransport
{
    /// <summary>The one instance there need be.</summary>
    public static SocketTransport Instance { get; } = new();

    /// <inheritdoc/>
    public TransportListener Listen(EndPoint endPoint, TransportOptions options)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        ArgumentNullException.ThrowIfNull(options);
        return SocketListener.Start(endPoint, options);
    }

    /// <inheritdoc/>
    public async ValueTask<TransportConnection> ConnectAsync(
        EndPoint endPoint, TransportOptions options, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        ArgumentNullException.ThrowIfNull(options);
        Socket? socket = null;
        try
        {
            // Without a family given, a socket tries every address that a name resolves to.
            socket = endPoint is DnsEndPoint
                ? new Socket(SocketType.Stream, ProtocolType.Tcp)
                : new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            SocketListener.SetBufferSizes(socket, options);
            await socket.ConnectAsync(endPoint, cancellationToken).ConfigureAwait(false);
            socket.NoDelay = options.NoDelay;
            return new SocketTransportConnection(socket);
        }
        catch (SocketException e)
        {
            socket?.Dispose();
            throw SocketErrors.CannotConnect(endPoint, e);
        }
        catch (OperationCanceledException)
        {
            socket?.Dispose();
            throw;
        }
    }
}
