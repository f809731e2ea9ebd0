namespace PlayChat.Core.WebSockets;

/// <summary>The headers of a WebSocket request that an HTTP server outside PlayChat has read (RFC 6455, section 4.1).</summary>
public sealed record WebSocketRequest
{
    /// <summary>The host that the client has asked for, with its port unless that is the usual one.</summary>
    public required string Host { get; init; }

    /// <summary>The value of <c>Origin</c>; <see langword="null"/> from a client that is no browser.</summary>
    public string? Origin { get; init; }

    /// <summary>The value of <c>Sec-WebSocket-Version</c>.</summary>
    public string? Version { get; init; }

    /// <summary>The value of <c>Sec-WebSocket-Key</c>.</summary>
    public string? Key { get; init; }

    /// <summary>Whether the request is an extended CONNECT of HTTP/2 or HTTP/3, which has no key (RFC 8441). Default false.</summary>
    public bool IsExtendedConnect { get; init; }

    /// <summary>The values of <c>Sec-WebSocket-Protocol</c>, in the client's order. Default none.</summary>
    public IReadOnlyList<string> Subprotocols { get; init; } = [];
}
