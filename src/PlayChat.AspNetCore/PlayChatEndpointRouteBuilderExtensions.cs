using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using PlayChat.Core.Hosting;
using WebSocketOptions = PlayChat.Core.WebSockets.WebSocketOptions;

namespace PlayChat.AspNetCore;

/// <summary>Maps a route of ASP.NET Core to a PlayChat server.</summary>
public static class PlayChatEndpointRouteBuilderExtensions
{
    /// <summary>Serves WebSockets on a route by the server that <c>services.AddPlayChat</c> has added.</summary>
    /// <param name="endpoints">Usually the <c>WebApplication</c>.</param>
    /// <param name="pattern">The route, such as <c>/ws</c>.</param>
    /// <param name="configure">
    /// Sets the allowed origins and hosts and the longest message. <see cref="WebSocketOptions.Enabled"/> and
    /// <see cref="WebSocketOptions.Path"/> have no effect here. Default: pages of the same host and port may connect.
    /// </param>
    /// <returns>For further conventions, such as <c>RequireAuthorization()</c>.</returns>
    /// <remarks>
    /// <para>
    /// Kestrel does HTTP, TLS, proxies and authentication. PlayChat does the framing of WebSocket on the upgraded connection itself, so
    /// <c>UseWebSockets</c> is not needed. HTTP/1.1 and HTTP/2 work.
    /// </para>
    /// <para>
    /// A handler finds the authenticated user of the request by <c>connection.Get&lt;ClaimsPrincipal&gt;()</c>, and the certificate of the
    /// client by <c>connection.Get&lt;X509Certificate2&gt;()</c>. When the application stops, the PlayChat server drains first.
    /// </para>
    /// </remarks>
    /// <exception cref="InvalidOperationException">No PlayChat server was added to the services.</exception>
    /// <exception cref="OptionsException">An option is invalid.</exception>
    public static IEndpointConventionBuilder MapPlayChat(
        this IEndpointRouteBuilder endpoints, string pattern = "/ws", Action<WebSocketOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        ArgumentException.ThrowIfNullOrEmpty(pattern);
        var options = new WebSocketOptions();
        configure?.Invoke(options);
        PlayChatServer server = HostedServer.Find(endpoints.ServiceProvider, nameof(MapPlayChat));
        var route = new WebSocketRoute(server.HostWebSocket(options));
        return endpoints.Map(pattern, route.HandleAsync).WithDisplayName($"PlayChat {pattern}");
    }
}
