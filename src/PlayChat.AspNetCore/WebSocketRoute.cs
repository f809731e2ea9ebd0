using System.Net;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Http.Timeouts;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Microsoft.Net.Http.Headers;
using PlayChat.Core.Hosting;
using PlayChat.Core.WebSockets;

namespace PlayChat.AspNetCore;

/// <summary>Answers the requests of a route: upgrades those for a WebSocket, and tells the others what to do.</summary>
internal sealed class WebSocketRoute(HostedWebSocket webSockets)
{
    private const string WebSocket = "websocket";

    internal async Task HandleAsync(HttpContext context)
    {
        IHttpUpgradeFeature? upgrade = context.Features.Get<IHttpUpgradeFeature>();
        IHttpExtendedConnectFeature? connect = context.Features.Get<IHttpExtendedConnectFeature>();
        bool isConnect = connect is { IsExtendedConnect: true }
            && string.Equals(connect.Protocol, WebSocket, StringComparison.OrdinalIgnoreCase);
        bool isUpgrade = upgrade is { IsUpgradableRequest: true } && HttpMethods.IsGet(context.Request.Method)
            && context.Request.Headers.GetCommaSeparatedValues(HeaderNames.Upgrade).Contains(WebSocket, StringComparer.OrdinalIgnoreCase);
        if (!isConnect && !isUpgrade)
        {
            await RefuseAsync(context, webSockets.RefuseOther(Remote(context)));
            return;
        }

        WebSocketAnswer answer = webSockets.Judge(Read(context.Request, isConnect), Remote(context));
        if (!answer.IsAccepted)
        {
            await RefuseAsync(context, answer);
            return;
        }

        RemoveLimits(context);
        if (answer.Subprotocol is { } subprotocol)
        {
            context.Response.Headers.SecWebSocketProtocol = subprotocol;
        }

        Stream stream;
        if (isConnect)
        {
            stream = await connect!.AcceptAsync();
        }
        else
        {
            context.Response.Headers.Upgrade = WebSocket;
            context.Response.Headers.SecWebSocketAccept = answer.Accept;
            stream = await upgrade!.UpgradeAsync();
        }

        await webSockets.ServeAsync(stream, answer.Subprotocol, About(context));
    }

    private static WebSocketRequest Read(HttpRequest request, bool isConnect) => new()
    {
        Host = request.Host.Value ?? "",
        Origin = Single(request.Headers, HeaderNames.Origin),
        Version = Single(request.Headers, HeaderNames.SecWebSocketVersion),
        Key = Single(request.Headers, HeaderNames.SecWebSocketKey),
        IsExtendedConnect = isConnect,
        Subprotocols = request.Headers.GetCommaSeparatedValues(HeaderNames.SecWebSocketProtocol),
    };

    // A field that came twice is joined, which no rule allows; so the request is refused.
    private static string? Single(IHeaderDictionary headers, string name) =>
        headers.TryGetValue(name, out var values) ? values.ToString() : null;

    private static HostedLink About(HttpContext context)
    {
        ConnectionInfo connection = context.Connection;
        return new HostedLink
        {
            RemoteEndPoint = Remote(context),
            LocalEndPoint = connection.LocalIpAddress is { } local ? new IPEndPoint(local, connection.LocalPort) : null,
            ClientCertificate = connection.ClientCertificate,
            User = context.User is { Identity.IsAuthenticated: true } user ? user : null,
            Abort = context.Abort,
        };
    }

    private static IPEndPoint? Remote(HttpContext context) => context.Connection.RemoteIpAddress is { } address
        ? new IPEndPoint(address, context.Connection.RemotePort)
        : null;

    /// <summary>Removes the limits of requests, which a connection of hours would reach. Those of PlayChat hold instead.</summary>
    private static void RemoveLimits(HttpContext context)
    {
        context.Features.Get<IHttpRequestTimeoutFeature>()?.DisableTimeout();
        if (context.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } size)
        {
            size.MaxRequestBodySize = null;
        }

        if (context.Features.Get<IHttpMinRequestBodyDataRateFeature>() is { } requestRate)
        {
            requestRate.MinDataRate = null;
        }

        if (context.Features.Get<IHttpMinResponseDataRateFeature>() is { } responseRate)
        {
            responseRate.MinDataRate = null;
        }
    }

    private static async Task RefuseAsync(HttpContext context, WebSocketAnswer answer)
    {
        HttpResponse response = context.Response;
        response.StatusCode = answer.Status;
        response.ContentType = "text/plain; charset=utf-8";
        if (answer.Status == StatusCodes.Status426UpgradeRequired)
        {
            response.Headers.Upgrade = WebSocket;
            response.Headers.Connection = HeaderNames.Upgrade;
            response.Headers.SecWebSocketVersion = "13";
        }

        await response.WriteAsync(answer.Problem + "\n", context.RequestAborted);
    }
}
