using PlayChat.Options;

namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>Web</c>.</summary>
internal sealed class WebSettings
{
    [Option(
        "Whether the server listens for browsers and other WebSocket clients on the host and with the TLS of the first endpoint. Auto: "
            + "in chat mode while that endpoint is a loopback address whose port is not 0.")]
    public AutoSwitch Enabled { get; set; }

    [Option(
        "Port for browsers and other WebSocket clients; 0 takes a free one. When another program uses it, the server warns and runs "
            + "without it; with Enabled True the start fails.",
        Min = 0,
        Max = 65_535)]
    public int Port { get; set; } = 7780;

    [Option(
        "Origins whose pages may connect, besides the server's own page.",
        Allowed = "origins such as https://chat.example.org, separated by commas; * for every origin; empty for none")]
    public string AllowedOrigins { get; set; } = "";

    [Option(
        "Host names that requests may name. While it is empty, a loopback address takes localhost and loopback addresses alone, and any "
            + "other address takes every name.",
        Allowed = "host names such as chat.example.org, without a port, separated by commas; * for every host")]
    public string AllowedHosts { get; set; } = "";

    [Option(
        "HTTP proxies whose X-Forwarded-For or Forwarded field names the client, so that limits, bans and the log see the client's "
            + "address. They must set one of them for every request. Fields of other peers are ignored.",
        Allowed = "addresses and networks such as 127.0.0.1, 10.0.0.0/8, fd00::/8, separated by commas; empty for none")]
    public string TrustedProxies { get; set; } = "";

    /// <summary>For a proxy that passes TCP connections on.</summary>
    public ProxyProtocolOptions ProxyProtocol { get; set; } = new();
}
