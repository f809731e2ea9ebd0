using System.Buffers;
using System.Text;

namespace PlayChat.Core.WebSockets;

/// <summary>The head of an HTTP/1.1 request: request line and header fields (RFC 9112, sections 3 and 5).</summary>
/// <remarks>
/// Strict: what a browser, a library or a proxy never sends is refused and not interpreted. Every field is checked, and only those are
/// kept that a decision needs, so that cookies and the like cost no memory in a rush of connections.
/// </remarks>
internal sealed class HttpRequestHead
{
    /// <summary>The longest head that is read. Those of browsers have less than 2 KB, most of it cookies.</summary>
    internal const int MaxBytes = 8192;

    private static readonly SearchValues<byte> s_token =
        SearchValues.Create("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"u8);

    // The fields that are kept. The first ones may come once; the others may come in several lines, which are one list.
    private static readonly string[] s_kept =
    [
        "Host", "Origin", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Content-Length", "Transfer-Encoding", "If-None-Match",
        "Connection", "Upgrade", "Sec-WebSocket-Protocol",
    ];

    private const int SingleFields = 7;

    private readonly string?[] _values = new string?[s_kept.Length];

    private HttpRequestHead(string method, string path)
    {
        Method = method;
        Path = path;
    }

    internal string Method { get; }

    /// <summary>The path as it was sent, without the query.</summary>
    internal string Path { get; }

    internal string Host => Find("Host")!;

    private static ReadOnlySpan<byte> LineEnd => "\r\n"u8;

    private static ReadOnlySpan<byte> HeadEnd => "\r\n\r\n"u8;

    /// <summary>The value of a field; <see langword="null"/> if it was not sent.</summary>
    /// <param name="name">One of the fields that are kept.</param>
    internal string? Find(string name)
    {
        int field = Array.IndexOf(s_kept, name);
        return field >= 0 ? _values[field] : throw new ArgumentException($"{name} is not kept.", nameof(name));
    }

    /// <summary>Whether a field has a value in its list, in any case.</summary>
    internal bool Has(string name, ReadOnlySpan<char> value)
    {
        ReadOnlySpan<char> rest = Find(name);
        while (!rest.IsEmpty)
        {
            int comma = rest.IndexOf(',');
            if ((comma < 0 ? rest : rest[..comma]).Trim().Equals(value, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }

            rest = comma < 0 ? default : rest[(comma + 1)..];
        }

        return false;
    }

    /// <summary>The values of a field that is a list.</summary>
    internal string[] List(string name) =>
        Find(name)?.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries) ?? [];

    /// <summary>The length of the head, with the empty line at its end; -1 while that has not come.</summary>
    internal static int FindEnd(ReadOnlySpan<byte> bytes) =>
        bytes.IndexOf(HeadEnd) is var end and >= 0 ? end + HeadEnd.Length : -1;

    /// <summary>Whether what came so far can be the beginning of a request: other protocols are then told at once.</summary>
    internal static bool CanBegin(ReadOnlySpan<byte> bytes) => bytes.IsEmpty || char.IsAsciiLetterUpper((char)bytes[0]);

    /// <summary>Parses a whole head.</summary>
    /// <param name="head">As long as <see cref="FindEnd"/> said.</param>
    /// <param name="problem">The sentence for the client, where the head is invalid.</param>
    /// <returns><see langword="null"/> where the head is invalid.</returns>
    internal static HttpRequestHead? Parse(ReadOnlySpan<byte> head, out string problem)
    {
        int lineBytes = head.IndexOf(LineEnd);
        HttpRequestHead? request = ParseLine(head[..lineBytes], out problem);
        ReadOnlySpan<byte> rest = head[(lineBytes + LineEnd.Length)..];
        while (request is not null && !rest.StartsWith(LineEnd))
        {
            lineBytes = rest.IndexOf(LineEnd);
            if (!request.TryAdd(rest[..lineBytes]))
            {
                problem = "A header field is invalid or came twice.";
                return null;
            }

            rest = rest[(lineBytes + LineEnd.Length)..];
        }

        if (request is not null && string.IsNullOrEmpty(request.Find("Host")))
        {
            problem = "The Host header is missing.";
            return null;
        }

        if (request is not null && (request.Find("Transfer-Encoding") ?? request.Find("Content-Length") ?? "0") != "0")
        {
            problem = "A request has no body here.";
            return null;
        }

        return request;
    }

    // GET /ws?room=1 HTTP/1.1
    private static HttpRequestHead? ParseLine(ReadOnlySpan<byte> line, out string problem)
    {
        int methodBytes = line.IndexOf((byte)' ');
        int end = line.LastIndexOf((byte)' ');
        ReadOnlySpan<byte> target = methodBytes < end ? line[(methodBytes + 1)..end] : default;
        if (methodBytes <= 0 || target.IsEmpty || target[0] != '/' || target.Contains((byte)' ')
            || !line[(end + 1)..].SequenceEqual("HTTP/1.1"u8)
            || line[..methodBytes].IndexOfAnyExcept(s_token) >= 0
            || line.IndexOfAnyExceptInRange((byte)0x20, (byte)0x7E) >= 0)
        {
            problem = "The request is not HTTP/1.1. This port takes WebSocket clients.";
            return null;
        }

        problem = "";
        int query = target.IndexOf((byte)'?');
        return new HttpRequestHead(
            line[..methodBytes].SequenceEqual("GET"u8) ? "GET" : Encoding.ASCII.GetString(line[..methodBytes]),
            Encoding.ASCII.GetString(query < 0 ? target : target[..query]));
    }

    private bool TryAdd(ReadOnlySpan<byte> line)
    {
        int colon = line.IndexOf((byte)':');
        if (colon <= 0 || line[..colon].IndexOfAnyExcept(s_token) >= 0)
        {
            return false;
        }

        ReadOnlySpan<byte> value = line[(colon + 1)..].Trim(" \t"u8);
        foreach (byte b in value)
        {
            if (b is (< 0x20 and not (byte)'\t') or 0x7F)
            {
                return false;
            }
        }

        for (int field = 0; field < s_kept.Length; field++)
        {
            if (Ascii.EqualsIgnoreCase(line[..colon], s_kept[field]))
            {
                return TryKeep(field, Encoding.Latin1.GetString(value));
            }
        }

        return true;
    }

    private bool TryKeep(int field, string value)
    {
        if (_values[field] is not { } before)
        {
            _values[field] = value;
            return true;
        }

        _values[field] = $"{before}, {value}";
        return field >= SingleFields;
    }
}
