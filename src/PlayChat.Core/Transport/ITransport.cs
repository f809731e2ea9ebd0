using System.Net;

namespace PlayChat.Core.Transport;

/// <summary>A way to move bytes: sockets, memory, and whatever else implements it.</summary>
public interface ITransport
{
    /// <summary>Starts listening.</summary>
    /// <param name="endPoint">Where; port 0 takes a free one.</param>
    /// <param name="options">Backlog and socket settings.</param>
    /// <exception cref="ListenFailedException">The address is in use, not ours, or not allowed.</exception>
    TransportListener Listen(EndPoint endPoint, TransportOptions options);

    /// <summary>Connects to a server.</summary>
    /// <param name="endPoint">An address, or a <see cref="DnsEndPoint"/> whose addresses are tried in turn.</param>
    /// <param name="options">Socket settings.</param>
    /// <param name="cancellationToken">Gives up; nothing is left open.</param>
    /// <exception cref="ConnectFailedException">Nobody answered, or the answer was no.</exception>
    ValueTask<TransportConnection> ConnectAsync(EndPoint endPoint, TransportOptions options, CancellationToken cancellationToken = default);
}
