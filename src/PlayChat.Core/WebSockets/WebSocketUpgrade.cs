using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text.Unicode;
using PlayChat.Web;

namespace PlayChat.Core.WebSockets;

/// <summary>Decides about a request for a WebSocket (RFC 6455, section 4.2).</summary>
/// <param name="options">The endpoint's options, which were checked.</param>
/// <param name="subprotocols">Those of the server in the order of its preference; empty where none is needed.</param>
/// <param name="isLoopback">Whether the endpoint listens on a loopback address, see <see cref="WebSocketOptions.AllowedHosts"/>.</param>
internal sealed class WebSocketUpgrade(WebSocketOptions options, string[] subprotocols, bool isLoopback = false)
{
    /// <summary>The subprotocol of binary messages that hold packets: proto/PROTOCOL.md, "WebSocket".</summary>
    internal const string Binary = "playchat.v1";

    /// <summary>The subprotocol of text messages that are packets as JSON.</summary>
    internal const string Json = "playchat.v1.json";

    internal const string Version = "13";

    private const int KeyBytes = 16;
    private const int KeyCharacters = 24;
    private const int AcceptCharacters = 28; // 20 bytes of SHA-1 in base64

    private const string ResponseHead =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ";

    private static ReadOnlySpan<byte> AcceptSuffix => "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"u8;

    /// <summary>Loads the system's library for SHA-1, which takes milliseconds and megabytes, so that no client waits for it.</summary>
    internal static void Prepare() => _ = AcceptOf("dGhlIHNhbXBsZSBub25jZQ==");

    /// <summary>Judges a request for any path. The client's key is a view of the request.</summary>
    /// <returns>What the client gets where the request is not accepted; <see langword="null"/> when it is.</returns>
    internal HttpAnswer? Judge(scoped in HttpRequestHead request, out ReadOnlySpan<char> key, out string? subprotocol)
    {
        key = default;
        subprotocol = null;
        if (FindHostProblem(request.Host) is { } foreign)
        {
            return foreign; // before files as well: a page of this server under a foreign name could do all that this one can
        }

        if (!request.Path.Equals(options.Path, StringComparison.Ordinal))
        {
            return options.Content?.Find(request)
                ?? HttpAnswer.Refuse("404 Not Found", $"There is nothing here. WebSocket clients connect to {options.Path}.");
        }

        if (request.Method is not "GET")
        {
            return HttpAnswer.Refuse("405 Method Not Allowed", "A WebSocket begins with GET.", "Allow: GET\r\n");
        }

        if (!request.Has("Upgrade", "websocket") || !request.Has("Connection", "Upgrade"))
        {
            return NeedsUpgrade();
        }

        key = request.Find("Sec-WebSocket-Key");
        if (FindProblem(request.Find("Sec-WebSocket-Version"), key, isKeyNeeded: true) is { } problem)
        {
            return problem;
        }

        if (request.TryFind("Origin", out ReadOnlySpan<char> origin) && !IsAllowed(origin, request.Host))
        {
            return ForeignOrigin();
        }

        foreach (string own in subprotocols)
        {
            if (request.Has("Sec-WebSocket-Protocol", own, StringComparison.Ordinal))
            {
                subprotocol = own;
                break;
            }
        }

        return subprotocol is null && subprotocols.Length > 0 ? NeedsSubprotocol() : null;
    }

    /// <summary>Judges a request that another HTTP server has read, and whose method, path and <c>Upgrade</c> were judged there.</summary>
    /// <returns>Why it is refused; <see langword="null"/> when it is accepted.</returns>
    internal HttpAnswer? Judge(WebSocketRequest request, out string? subprotocol)
    {
        subprotocol = subprotocols.FirstOrDefault(own => request.Subprotocols.Contains(own, StringComparer.Ordinal));
        return FindHostProblem(request.Host)
            ?? FindProblem(request.Version, request.Key, !request.IsExtendedConnect)
            ?? (request.Origin is { } origin && !IsAllowed(origin, request.Host) ? ForeignOrigin()
                : subprotocol is null && subprotocols.Length > 0 ? NeedsSubprotocol()
                : null);
    }

    /// <summary>Writes what the client of an accepted request gets, to a span of at least 256 bytes.</summary>
    /// <returns>The bytes that were written.</returns>
    internal static int WriteResponse(ReadOnlySpan<char> key, string? subprotocol, Span<byte> response)
    {
        Span<char> accept = stackalloc char[AcceptCharacters];
        WriteAccept(key, accept);
        string field = subprotocol is null ? "" : "Sec-WebSocket-Protocol: ";
        string end = subprotocol is null ? "" : "\r\n";
        _ = Utf8.TryWrite(
            response,
            CultureInfo.InvariantCulture,
            $"{ResponseHead}{(ReadOnlySpan<char>)accept}\r\n{field}{subprotocol}{end}\r\n",
            out int bytes);
        return bytes;
    }

    /// <summary>The answer to a client's key.</summary>
    /// <param name="key">16 bytes in base64, which was checked.</param>
    internal static string AcceptOf(string key)
    {
        Span<char> accept = stackalloc char[AcceptCharacters];
        WriteAccept(key, accept);
        return accept.ToString();
    }

    /// <summary>The answer to a request without an upgrade.</summary>
    internal static HttpAnswer NeedsUpgrade() =>
        NeedsUpgrade("This address takes WebSocket clients; connect with ws:// or wss:// in place of http:// or https://.");

    private static void WriteAccept(ReadOnlySpan<char> key, Span<char> accept)
    {
        Span<byte> bytes = stackalloc byte[KeyCharacters + AcceptSuffix.Length];
        Encoding.ASCII.GetBytes(key, bytes);
        AcceptSuffix.CopyTo(bytes[KeyCharacters..]);
        Span<byte> hash = stackalloc byte[SHA1.HashSizeInBytes];
#pragma warning disable CA5350 // RFC 6455 demands SHA-1 here; it protects nothing
        SHA1.HashData(bytes, hash);
#pragma warning restore CA5350
        _ = Convert.TryToBase64Chars(hash, accept, out _);
    }

    private static HttpAnswer? FindProblem(ReadOnlySpan<char> version, ReadOnlySpan<char> key, bool isKeyNeeded) =>
        version is not Version ? NeedsUpgrade($"This server speaks WebSocket version {Version}.")
        : isKeyNeeded && !IsKey(key) ? HttpAnswer.Refuse("400 Bad Request", "The Sec-WebSocket-Key header must be 16 bytes in base64.")
        : null;

    private HttpAnswer? FindHostProblem(ReadOnlySpan<char> host) =>
        !host.IsEmpty && !WebAuthority.TryParse(host, default, out _) ? HttpAnswer.Refuse("400 Bad Request", "The Host header is invalid.")
        : options.IsHostAllowed(host, isLoopback) ? null
        : HttpAnswer.Refuse(
            "403 Forbidden", "This server does not take requests for this host name. Use localhost, or add the name to AllowedHosts.");

    private static HttpAnswer NeedsUpgrade(string problem) => HttpAnswer.Refuse(
        "426 Upgrade Required", problem, $"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: {Version}\r\n");

    private static HttpAnswer ForeignOrigin() => HttpAnswer.Refuse(
        "403 Forbidden",
        "Pages of this origin may not connect. Serve the page from this host and port, or add its origin to AllowedOrigins.");

    private HttpAnswer NeedsSubprotocol() => HttpAnswer.Refuse(
        "400 Bad Request", $"Offer the subprotocol {string.Join(" or ", subprotocols)} (Sec-WebSocket-Protocol).");

    private static bool IsKey(ReadOnlySpan<char> key) =>
        key.Length == KeyCharacters && Base64.IsValid(key, out int bytes) && bytes == KeyBytes;

    /// <summary>Whether a page of an origin may connect. A client that is no browser sends no origin.</summary>
    private bool IsAllowed(ReadOnlySpan<char> origin, ReadOnlySpan<char> host)
    {
        if (options.IsOriginListed(origin))
        {
            return true;
        }

        // A host without a port has the usual one of the page's scheme, also behind a proxy that takes the TLS off.
        return WebAuthority.TryParseOrigin(origin, out ReadOnlySpan<char> scheme, out WebAuthority page)
            && WebAuthority.TryParse(host, scheme, out WebAuthority asked)
            && page.Equals(asked);
    }
}
