namespace PlayChat.Core.Transport;

/// <summary>A way to move bytes, such as sockets or memory.</summary>
/// <remarks>
/// A transport may add speed, and says so by three things. <see cref="CompletesInline"/> says that its own threads run the handlers. A link
/// that overrides <see cref="TransportConnection.TryWaitForData"/> calls its reader directly. A thread that sets
/// <see cref="ILocalWorkQueue.Current"/> runs the work that handlers leave behind.
/// </remarks>
public interface ITransport
{
    /// <summary>
    /// Whether operations complete on the transport's own threads, so that handlers run there and must not block. Default
    /// <see langword="false"/>. A server that listens on such a transport watches for handlers that block.
    /// </summary>
    bool CompletesInline => false;

    /// <summary>Starts listening.</summary>
    /// <param name="endPoint">The address to bind. Port 0 takes a free one.</param>
    /// <param name="options">Backlog and socket settings.</param>
    /// <param name="logger">
    /// Receives the faults of the transport itself, in the listener and in the links that it accepts. A server always passes one.
    /// </param>
    /// <exception cref="ListenFailedException">The address is in use, belongs to another machine, or is not allowed.</exception>
    TransportListener Listen(EndPoint endPoint, TransportOptions options, ILogger? logger = null);

    /// <summary>Connects to a server.</summary>
    /// <param name="endPoint">An address, or a <see cref="DnsEndPoint"/> whose addresses are tried in turn.</param>
    /// <param name="options">Socket settings.</param>
    /// <param name="logger">Receives the faults of the transport itself in the link. A connector always passes one.</param>
    /// <param name="cancellationToken">Cancels the attempt and leaves nothing open.</param>
    /// <exception cref="ConnectFailedException">The server refused the connection or did not answer.</exception>
    ValueTask<TransportConnection> ConnectAsync(
        EndPoint endPoint, TransportOptions options, ILogger? logger = null, CancellationToken cancellationToken = default);
}
