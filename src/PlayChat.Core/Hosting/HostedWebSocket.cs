using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Hosting;

/// <summary>Gives WebSockets that another HTTP server has upgraded to a <see cref="PlayChatServer"/>. Thread-safe.</summary>
/// <remarks>
/// Made by <see cref="PlayChatServer.HostWebSocket"/>. The other server reads the request, asks <see cref="Judge"/>, upgrades the
/// connection and hands over its stream. PlayChat does the framing of WebSocket (RFC 6455) itself.
/// </remarks>
public sealed class HostedWebSocket
{
    private static readonly WebSocketAnswer s_notServing =
        new(503, "The server is starting or stopping. Try again.", Accept: null, Subprotocol: null);

    private readonly PlayChatServer _server;
    private readonly WebSocketOptions _options;

    internal HostedWebSocket(PlayChatServer server, WebSocketOptions options)
    {
        _server = server;
        _options = options;
    }

    /// <summary>Decides about a request for a WebSocket. A refused request is counted and, within bounds, logged.</summary>
    /// <param name="request">What the request says.</param>
    /// <param name="peer">The address of the client, for the log.</param>
    public WebSocketAnswer Judge(WebSocketRequest request, EndPoint? peer = null)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (_server.Started is not { IsServing: true } running)
        {
            return s_notServing;
        }

        HandshakeServices services = running.HandshakeServices;
        var upgrade = new WebSocketUpgrade(_options, services.Subprotocols);
        if (upgrade.Judge(request, out string? subprotocol) is { } answer)
        {
            services.OnAnswered(peer, answer);
            int status = int.Parse(answer.Status.AsSpan(0, 3), NumberStyles.None, CultureInfo.InvariantCulture);
            return new WebSocketAnswer(status, answer.Problem, Accept: null, Subprotocol: null);
        }

        string? accept = request.IsExtendedConnect ? null : WebSocketUpgrade.AcceptOf(request.Key!);
        return new WebSocketAnswer(101, Problem: null, accept, subprotocol);
    }

    /// <summary>Counts and, within bounds, logs a request that asks for no WebSocket.</summary>
    /// <param name="peer">The address of the client.</param>
    /// <returns>The answer: status 426, and what to do.</returns>
    public WebSocketAnswer RefuseOther(EndPoint? peer = null)
    {
        HttpAnswer answer = WebSocketUpgrade.NeedsUpgrade();
        _server.Started?.HandshakeServices.OnAnswered(peer, answer);
        return new WebSocketAnswer(426, answer.Problem, Accept: null, Subprotocol: null);
    }

    /// <summary>Serves an upgraded connection until it has ended.</summary>
    /// <param name="stream">
    /// The bytes behind the upgrade. The server reads and writes it until the task completes, and does not dispose it. A zero-byte read
    /// must wait until there is data, as in the streams of Kestrel.
    /// </param>
    /// <param name="subprotocol">As <see cref="Judge"/> has chosen it.</param>
    /// <param name="about">What is known about the connection.</param>
    /// <returns>
    /// Completes when nothing uses the stream any more; end the connection then. Never faults. While the server stops, the connection is
    /// aborted at once.
    /// </returns>
    /// <exception cref="ArgumentException">The subprotocol is none that <see cref="Judge"/> chooses.</exception>
    /// <exception cref="InvalidOperationException">The server has not been started.</exception>
    public Task ServeAsync(Stream stream, string? subprotocol, HostedLink? about = null)
    {
        ArgumentNullException.ThrowIfNull(stream);
        RunningServer running = _server.Started ?? throw new InvalidOperationException("The server has not been started.");
        HandshakeServices services = running.HandshakeServices;
        string[] own = services.Subprotocols;
        if (own.Length == 0 ? subprotocol is not null : !own.Contains(subprotocol, StringComparer.Ordinal))
        {
            throw new ArgumentException(
                $"'{subprotocol}' is not a subprotocol of this server; pass the one that Judge has chosen.", nameof(subprotocol));
        }

        var link = new StreamConnection(stream, HostedLink.Guard(about?.Abort ?? stream.Dispose, about?.RemoteEndPoint, running.Logger))
        {
            Remote = about?.RemoteEndPoint,
            Local = about?.LocalEndPoint,
            Certificate = about?.ClientCertificate,
            Principal = about?.User,
        };
        running.Serve(new WebSocketConnection(
            link, _options.MaxMessageBytes, json: subprotocol == WebSocketUpgrade.Json ? new JsonTranscoder(services.PacketJson!) : null));
        return link.Ended;
    }
}
