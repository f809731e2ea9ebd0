using System.Buffers.Text;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Unicode;

namespace PlayChat.Core.WebSockets;

/// <summary>Decides about a request for a WebSocket (RFC 6455, section 4.2).</summary>
/// <param name="options">The endpoint's options, which were checked.</param>
/// <param name="subprotocols">Those of the server in the order of its preference; empty where none is needed.</param>
/// <param name="isLoopback">Whether the endpoint listens on a loopback address, see <see cref="WebSocketOptions.AllowedHosts"/>.</param>
internal sealed class WebSocketUpgrade(WebSocketOptions options, IReadOnlyList<string> subprotocols, bool isLoopback = false)
{
    /// <summary>The subprotocol of binary messages that hold packets: proto/PROTOCOL.md, "WebSocket".</summary>
    internal const string Binary = "playchat.v1";

    /// <summary>The subprotocol of text messages that are packets as JSON.</summary>
    internal const string Json = "playchat.v1.json";

    /// <summary>The version of the specification.</summary>
    internal const string Version = "13";

    private const int KeyBytes = 16;
    private const int KeyCharacters = 24;
    private const int MaxResponseBytes = 256;

    private static ReadOnlySpan<byte> AcceptSuffix => "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"u8;

    /// <summary>Judges a request.</summary>
    /// <param name="request">A request for any path.</param>
    /// <param name="answer">What the client gets where the request is not accepted.</param>
    /// <param name="response">What the client gets where it is.</param>
    /// <param name="subprotocol">Which subprotocol it is; <see langword="null"/> for none.</param>
    /// <returns>Whether the request is accepted.</returns>
    internal bool TryAccept(HttpRequestHead request, out HttpAnswer answer, out byte[] response, out string? subprotocol)
    {
        response = [];
        subprotocol = null;
        answer = FindProblem(request, out subprotocol)!;
        if (answer is not null)
        {
            return false;
        }

        // Written in place: in a rush of connections, what is allocated for each of them is the memory of the server.
        Span<byte> text = stackalloc byte[MaxResponseBytes];
        string field = subprotocol is null ? "" : "Sec-WebSocket-Protocol: ";
        string end = subprotocol is null ? "" : "\r\n";
        string accept = AcceptOf(request.Find("Sec-WebSocket-Key")!);
        const string Head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ";
        _ = Utf8.TryWrite(text, CultureInfo.InvariantCulture, $"{Head}{accept}\r\n{field}{subprotocol}{end}\r\n", out int bytes);
        response = text[..bytes].ToArray();
        return true;
    }

    /// <summary>The answer to a client's key.</summary>
    /// <param name="key">16 bytes in base64, which was checked.</param>
    internal static string AcceptOf(string key)
    {
        Span<byte> bytes = stackalloc byte[KeyCharacters + AcceptSuffix.Length];
        Encoding.ASCII.GetBytes(key, bytes);
        AcceptSuffix.CopyTo(bytes[KeyCharacters..]);
        Span<byte> hash = stackalloc byte[SHA1.HashSizeInBytes];
#pragma warning disable CA5350 // RFC 6455 demands SHA-1 here; it protects nothing
        SHA1.HashData(bytes, hash);
#pragma warning restore CA5350
        return Convert.ToBase64String(hash);
    }

    /// <summary>Judges a request whose method, path and <c>Upgrade</c> were judged before.</summary>
    /// <param name="request">What it has for the WebSocket.</param>
    /// <param name="subprotocol">Which subprotocol it is; <see langword="null"/> for none.</param>
    /// <returns>Why it is refused; <see langword="null"/> when it is accepted.</returns>
    internal HttpAnswer? FindProblem(WebSocketRequest request, out string? subprotocol)
    {
        subprotocol = null;
        if (FindHostProblem(request.Host) is { } foreign)
        {
            return foreign;
        }

        if (request.Version != Version)
        {
            return NeedsUpgrade($"This server speaks WebSocket version {Version}.");
        }

        if (!request.IsExtendedConnect && !IsKey(request.Key))
        {
            return HttpAnswer.Refuse("400 Bad Request", "The Sec-WebSocket-Key header must be 16 bytes in base64.");
        }

        if (!IsAllowed(request.Origin, request.Host))
        {
            return HttpAnswer.Refuse(
                "403 Forbidden",
                "Pages of this origin may not connect. Serve the page from this host and port, or add its origin to AllowedOrigins.");
        }

        if (subprotocols.Count == 0)
        {
            return null;
        }

        subprotocol = subprotocols.FirstOrDefault(own => request.Subprotocols.Contains(own, StringComparer.Ordinal));
        return subprotocol is not null
            ? null
            : HttpAnswer.Refuse(
                "400 Bad Request", $"Offer the subprotocol {string.Join(" or ", subprotocols)} (Sec-WebSocket-Protocol).");
    }

    /// <summary>The answer to a request without an upgrade.</summary>
    internal static HttpAnswer NeedsUpgrade() =>
        NeedsUpgrade("This address takes WebSocket clients; connect with ws:// or wss:// in place of http:// or https://.");

    private HttpAnswer? FindProblem(HttpRequestHead request, out string? subprotocol)
    {
        subprotocol = null;
        if (FindHostProblem(request.Host) is { } foreign)
        {
            return foreign; // before files as well: a page of this server under a foreign name could do all that this one can
        }

        if (request.Path != options.Path)
        {
            return options.Content?.Find(request)
                ?? HttpAnswer.Refuse("404 Not Found", $"There is nothing here. WebSocket clients connect to {options.Path}.");
        }

        if (request.Method != "GET")
        {
            return HttpAnswer.Refuse("405 Method Not Allowed", "A WebSocket begins with GET.", "Allow: GET\r\n");
        }

        if (!request.Has("Upgrade", "websocket") || !request.Has("Connection", "Upgrade"))
        {
            return NeedsUpgrade();
        }

        var upgrade = new WebSocketRequest
        {
            Host = request.Host,
            Origin = request.Find("Origin"),
            Version = request.Find("Sec-WebSocket-Version"),
            Key = request.Find("Sec-WebSocket-Key"),
            Subprotocols = request.List("Sec-WebSocket-Protocol"),
        };
        return FindProblem(upgrade, out subprotocol);
    }

    private HttpAnswer? FindHostProblem(string host) => options.IsHostAllowed(host, isLoopback)
        ? null
        : HttpAnswer.Refuse(
            "403 Forbidden", "This server does not take requests for this host name. Use localhost, or add the name to AllowedHosts.");

    private static HttpAnswer NeedsUpgrade(string problem) => HttpAnswer.Refuse(
        "426 Upgrade Required", problem, $"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: {Version}\r\n");

    private static bool IsKey(string? key) =>
        key is { Length: KeyCharacters } && Base64.IsValid(key, out int bytes) && bytes == KeyBytes;

    /// <summary>Whether a page of an origin may connect. A client that is no browser sends no origin.</summary>
    private bool IsAllowed(string? origin, string host)
    {
        if (origin is null || options.IsOriginListed(origin))
        {
            return true;
        }

        // A browser leaves the usual port out of both, so what is the same page's host is the same text.
        int authority = origin.IndexOf("://", StringComparison.Ordinal);
        return authority > 0 && origin.AsSpan(authority + 3).Equals(host, StringComparison.OrdinalIgnoreCase);
    }
}
