using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;
using PlayChat.Core.Hosting;

namespace PlayChat.AspNetCore;

/// <summary>Gives connections of an address of Kestrel to a PlayChat server.</summary>
public static class PlayChatConnectionBuilderExtensions
{
    /// <summary>
    /// Serves the TCP protocol of the server that <c>services.AddPlayChat</c> has added, on an address of Kestrel: on its TCP, TLS, Unix
    /// sockets or named pipes.
    /// </summary>
    /// <param name="builder">Usually the <c>ListenOptions</c> of Kestrel. Call <c>UseHttps</c> before, if the address has TLS.</param>
    /// <returns>The builder.</returns>
    /// <remarks>
    /// The address serves no HTTP. When the application stops, the PlayChat server drains first. A server without endpoints of its own
    /// needs this call while Kestrel is set up, as in
    /// <c>ConfigureKestrel(kestrel => kestrel.ListenLocalhost(7777, listen => listen.UsePlayChat()))</c>.
    /// </remarks>
    /// <exception cref="InvalidOperationException">No PlayChat server was added to the services.</exception>
    public static IConnectionBuilder UsePlayChat(this IConnectionBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        HostedEndpoint endpoint = HostedServer.Find(builder.ApplicationServices, nameof(UsePlayChat)).Host();
        return builder.Use(_ => connection => endpoint.ServeAsync(connection.Transport, LinkOf(connection)));
    }

    private static HostedLink LinkOf(ConnectionContext connection) => new()
    {
        RemoteEndPoint = connection.RemoteEndPoint,
        LocalEndPoint = connection.LocalEndPoint,
        ClientCertificate = connection.Features.Get<ITlsConnectionFeature>()?.ClientCertificate,
        User = connection.Features.Get<IConnectionUserFeature>()?.User is { Identity.IsAuthenticated: true } user ? user : null,
        Abort = () => connection.Abort(new ConnectionAbortedException("PlayChat has aborted the connection.")),
    };
}
