using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Transport;

namespace PlayChat.Simulation.Chat;

/// <summary>The network as one client sees it.</summary>
internal sealed class ClientNetwork(Func<SimulatedNetwork?> pick) : ITransport
{
    /// <summary>The newest link of the client.</summary>
    internal ClientEnd? Link { get; private set; }

    public TransportListener Listen(EndPoint endPoint, TransportOptions options, ILogger? logger = null) =>
        throw new NotSupportedException("A client does not listen.");

    public ValueTask<TransportConnection> ConnectAsync(
        EndPoint endPoint, TransportOptions options, ILogger? logger = null, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (pick() is not { } network || network.Connect() is not { } link)
        {
            throw new SocketException((int)SocketError.ConnectionRefused);
        }

        Link = new ClientEnd(network, link, endPoint);
        return new ValueTask<TransportConnection>(Link);
    }
}
