using PlayChat.Addresses;
using PlayChat.Web;

namespace PlayChat.Core.WebSockets;

/// <summary>
/// WebSocket of one endpoint: its clients connect by HTTP, and each packet or frame comes in a message. Set before start.
/// </summary>
/// <remarks>
/// <para>
/// Everything above the link is as on TCP: framing, handlers, sessions, rooms, limits and close reasons. Wire form: proto/PROTOCOL.md,
/// "WebSocket". TLS of the endpoint makes it wss. The time and number of upgrades under way are limited by
/// <see cref="Hosting.TlsOptions.HandshakeTimeout"/>, <see cref="Hosting.TlsOptions.MaxHandshakes"/> and
/// <see cref="Hosting.TlsOptions.MaxHandshakesPerAddress"/>, with and without TLS.
/// </para>
/// <para>
/// Messages are not compressed. Packets are small, compression would need memory for each connection and a copy of each broadcast for each
/// member, and it can reveal secrets beside chosen text.
/// </para>
/// </remarks>
public sealed class WebSocketOptions
{
    private const string HostsForm = "host names such as chat.example.org, without a port, separated by commas; * for every host";
    private const string ProxiesForm =
        "addresses and networks such as 127.0.0.1, 10.0.0.0/8, fd00::/8, separated by commas; empty for none";
    private const string OriginsForm = "origins such as https://chat.example.org, separated by commas; * for every origin; empty for none";

    /// <summary>Whether clients of the endpoint speak WebSocket. Default false: they speak TCP.</summary>
    [Option("Whether clients of the endpoint speak WebSocket instead of TCP.")]
    public bool Enabled { get; set; }

    /// <summary>The path that WebSocket clients connect to. Default <c>/ws</c>.</summary>
    [Option("Path that WebSocket clients connect to.", Allowed = "a path that begins with / and has no query")]
    public string Path { get; set; } = "/ws";

    /// <summary>
    /// The origins whose pages may connect, besides pages of the host and port that they connect to. Default none. Clients that are no
    /// browsers send no origin and may always connect.
    /// </summary>
    [Option(
        "Origins whose pages may connect, besides pages that come from the same host and port.",
        Allowed = OriginsForm,
        WhenReached = "A page of another origin gets 403.",
        SeenIn = "`playchat.websocket.refused`, the log")]
    public string AllowedOrigins { get; set; } = "";

    /// <summary>
    /// The host names that requests may name in <c>Host</c>, without a port. Default none: an endpoint on a loopback address then takes
    /// <c>localhost</c> and loopback addresses alone, and any other endpoint takes every name. <c>*</c> takes every name.
    /// </summary>
    /// <remarks>
    /// A page of a foreign site can make its own name point to 127.0.0.1 while it is open (DNS rebinding). Its origin and the host of its
    /// requests are then the same foreign name, so only a list of known names tells it apart.
    /// </remarks>
    [Option(
        "Host names that requests may name. While it is empty, an endpoint on a loopback address takes localhost and loopback addresses "
            + "alone, and any other endpoint takes every name.",
        Allowed = HostsForm,
        WhenReached = "A request for another host gets 403.",
        SeenIn = "`playchat.websocket.refused`, the log")]
    public string AllowedHosts { get; set; } = "";

    /// <summary>
    /// The addresses of the HTTP proxies whose <c>X-Forwarded-For</c> or <c>Forwarded</c> field names the client of a request. Default
    /// none: these fields are ignored. Other peers may connect as well; what they send in these fields is ignored.
    /// </summary>
    /// <remarks>
    /// Of several proxies, each adds the address of its own peer at the end. The client is the last address of the list that is not that of
    /// a trusted proxy. A proxy must set one of the fields for every request. A request with both is refused, because a proxy that sets one
    /// of them may pass the other on as its client has invented it.
    /// </remarks>
    [Option(
        "HTTP proxies whose X-Forwarded-For or Forwarded field names the client. They must set one of them for every request. Fields of "
            + "other peers are ignored.",
        Allowed = ProxiesForm,
        WhenReached = "A request with both fields, or with a malformed Forwarded field, gets 400.",
        SeenIn = "`playchat.websocket.refused`, the log")]
    public string TrustedProxies { get; set; } = "";

    /// <summary>The longest message that a client may send, over all its fragments, in bytes. Default 1 MiB.</summary>
    /// <remarks>A message is handled as it comes, so this bounds no memory, except for messages in JSON, which are collected.</remarks>
    [Option(
        "Longest WebSocket message that a client may send, in bytes; it may hold several packets.",
        Min = 125,
        Max = 268_435_456,
        WhenReached = "The connection is closed with code 1009.",
        SeenIn = "`playchat.connections.closed` with `FrameTooLarge`")]
    public int MaxMessageBytes { get; set; } = 1024 * 1024;

    /// <summary>Files that the endpoint serves to browsers. Default none.</summary>
    public WebContent? Content { get; set; }

    /// <summary>Parses <see cref="TrustedProxies"/>.</summary>
    /// <returns><see langword="false"/> with the part that is neither an address nor a network.</returns>
    internal bool TryGetProxies(out IReadOnlyList<IPNetwork> proxies, out string problem) =>
        TrustedNetworks.TryParse(TrustedProxies, out proxies, out problem);

    internal bool IsOriginListed(ReadOnlySpan<char> origin)
    {
        bool hasPage = WebAuthority.TryParseOrigin(origin, out ReadOnlySpan<char> scheme, out WebAuthority page);
        foreach (ReadOnlySpan<char> own in new CommaList(AllowedOrigins))
        {
            if (own is "*" || (Ascii.IsValid(origin) && own.Equals(origin, StringComparison.OrdinalIgnoreCase))
                || (hasPage && WebAuthority.TryParseOrigin(own, out ReadOnlySpan<char> ownScheme, out WebAuthority ownPage, isOwn: true)
                    && ownScheme.Equals(scheme, StringComparison.OrdinalIgnoreCase) && ownPage.Equals(page)))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether requests to an endpoint may name a host, with or without a port.</summary>
    internal bool IsHostAllowed(ReadOnlySpan<char> host, bool isLoopback)
    {
        bool hasHost = WebAuthority.TryParse(host, default, out WebAuthority asked);
        bool hasList = false;
        foreach (ReadOnlySpan<char> own in new CommaList(AllowedHosts))
        {
            hasList = true;
            if (own is "*" || (hasHost && asked.IsHost(NameOf(own))))
            {
                return true;
            }
        }

        return isLoopback ? hasHost && IsLoopbackName(asked.Host) : !hasList;
    }

    internal IEnumerable<string> Validate(string path)
    {
        if (!Path.StartsWith('/') || Path.AsSpan().IndexOfAnyExceptInRange('!', '~') >= 0 || Path.AsSpan().ContainsAny('?', '#'))
        {
            yield return $"{path}:{nameof(Path)} is '{Path}'; allowed is a path such as /ws, without a query.";
        }

        foreach (string origin in ListOf(AllowedOrigins))
        {
            if (!IsOrigin(origin))
            {
                yield return $"{path}:{nameof(AllowedOrigins)} has '{origin}'; allowed is {OriginsForm}.";
            }
        }

        foreach (string host in ListOf(AllowedHosts))
        {
            if (host != "*" && !IsHostName(host))
            {
                yield return $"{path}:{nameof(AllowedHosts)} has '{host}'; allowed is {HostsForm}.";
            }
        }

        if (!TryGetProxies(out _, out string proxy))
        {
            yield return $"{path}:{nameof(TrustedProxies)} has '{proxy}'; allowed is {ProxiesForm}.";
        }

        foreach (string problem in OptionRule.FindProblems(this, path + ":"))
        {
            yield return problem;
        }
    }

    private static string[] ListOf(string value) =>
        value.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

    // A browser writes an address in its usual form, so that one in another form would match no request.
    private static bool IsHostName(string host)
    {
        string name = host.Trim('[', ']').TrimEnd('.');
        return !host.StartsWith('.')
            && Uri.CheckHostName(name) != UriHostNameType.Unknown
            && (!IPAddress.TryParse(name, out _) || StrictAddress.TryParse(name, out _));
    }

    private static bool IsLoopbackName(ReadOnlySpan<char> name) =>
        name.Equals("localhost", StringComparison.OrdinalIgnoreCase)
        || (IPAddress.TryParse(name, out IPAddress? address) && IPAddress.IsLoopback(address));

    // An address of IPv6 may stand there without brackets.
    private static ReadOnlySpan<char> NameOf(ReadOnlySpan<char> host) =>
        WebAuthority.TryParse(host, default, out WebAuthority own, isOwn: true) ? own.Host : host;

    // Scheme, host and port. A path would never match.
    private static bool IsOrigin(string origin) =>
        origin is "*" or "null"
        || (Uri.TryCreate(origin, UriKind.Absolute, out _) && WebAuthority.TryParseOrigin(origin, out _, out _, isOwn: true));
}
