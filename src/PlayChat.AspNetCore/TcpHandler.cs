using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;
using PlayChat.Core.Hosting;

namespace PlayChat.AspNetCore;

/// <summary>Hands connections of Kestrel over to a server.</summary>
internal sealed class TcpHandler(HostedEndpoint endpoint)
{
    internal Task HandleAsync(ConnectionContext connection) => endpoint.ServeAsync(connection.Transport, new HostedLink
    {
        RemoteEndPoint = connection.RemoteEndPoint,
        LocalEndPoint = connection.LocalEndPoint,
        ClientCertificate = connection.Features.Get<ITlsConnectionFeature>()?.ClientCertificate,
        User = connection.Features.Get<IConnectionUserFeature>()?.User is { Identity.IsAuthenticated: true } user ? user : null,
        Abort = () => connection.Abort(new ConnectionAbortedException("PlayChat has aborted the connection.")),
    });
}
