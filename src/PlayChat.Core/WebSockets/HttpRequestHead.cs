using PlayChat.Web;

namespace PlayChat.Core.WebSockets;

/// <summary>The head of an HTTP/1.1 request: request line and header fields (RFC 9112, sections 3 and 5).</summary>
/// <remarks>
/// Strict: what a browser, a library or a proxy never sends is refused and not interpreted. Every field is checked. The head is a view of
/// the text that was parsed and allocates nothing: in a rush of connections, what is allocated for each of them is the memory of the
/// server.
/// </remarks>
internal readonly ref struct HttpRequestHead
{
    /// <summary>The longest head that is read. Those of browsers have less than 2 KB, most of it cookies.</summary>
    internal const int MaxBytes = 8192;

    private const string LineEnd = "\r\n";

    private static readonly SearchValues<char> s_token =
        SearchValues.Create("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

    // The fields that may come once. The others that are read are lists, which may be spread over several lines.
    private static readonly string[] s_single =
    [
        "Host", "Origin", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Content-Length", "Transfer-Encoding", "If-None-Match",
    ];

    private readonly ReadOnlySpan<char> _fields; // the lines behind the request line, each with its end

    private readonly ReadOnlySpan<char> _authority; // of a target that is a whole address

    private HttpRequestHead(ReadOnlySpan<char> method, ReadOnlySpan<char> authority, ReadOnlySpan<char> path, ReadOnlySpan<char> fields)
    {
        Method = method;
        _authority = authority;
        Path = path;
        _fields = fields;
    }

    internal ReadOnlySpan<char> Method { get; }

    /// <summary>The path as it was sent, without the query.</summary>
    internal ReadOnlySpan<char> Path { get; }

    /// <summary>The host and port that are asked for: those of the target, where it has them (RFC 9112, section 3.2.2).</summary>
    internal ReadOnlySpan<char> Host => _authority.IsEmpty ? Find("Host") : _authority;

    private static ReadOnlySpan<byte> HeadEnd => "\r\n\r\n"u8;

    /// <summary>The value of a field; empty if it was not sent.</summary>
    internal ReadOnlySpan<char> Find(ReadOnlySpan<char> name) => TryFind(name, out ReadOnlySpan<char> value) ? value : default;

    /// <summary>Finds the first line of a field.</summary>
    internal bool TryFind(ReadOnlySpan<char> name, out ReadOnlySpan<char> value)
    {
        ReadOnlySpan<char> rest = _fields;
        while (TryTakeLine(ref rest, out ReadOnlySpan<char> line))
        {
            if (IsField(line, name, out value))
            {
                return true;
            }
        }

        value = default;
        return false;
    }

    /// <summary>The values of all lines of a field, in order; empty if it was not sent.</summary>
    internal List<string> FindAll(ReadOnlySpan<char> name)
    {
        List<string> values = [];
        ReadOnlySpan<char> rest = _fields;
        while (TryTakeLine(ref rest, out ReadOnlySpan<char> line))
        {
            if (IsField(line, name, out ReadOnlySpan<char> value))
            {
                values.Add(value.ToString());
            }
        }

        return values;
    }

    /// <summary>Whether a field has a value in its list, which may be spread over several lines.</summary>
    internal bool Has(ReadOnlySpan<char> name, ReadOnlySpan<char> value, StringComparison comparison = StringComparison.OrdinalIgnoreCase)
    {
        ReadOnlySpan<char> rest = _fields;
        while (TryTakeLine(ref rest, out ReadOnlySpan<char> line))
        {
            if (IsField(line, name, out ReadOnlySpan<char> list) && new CommaList(list).Contains(value, comparison))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>The length of the head, with the empty line at its end; -1 while that has not come.</summary>
    internal static int FindEnd(ReadOnlySpan<byte> bytes) =>
        bytes.IndexOf(HeadEnd) is var end and >= 0 ? end + HeadEnd.Length : -1;

    /// <summary>Whether what came so far can be the beginning of a request: other protocols are then told at once.</summary>
    internal static bool CanBegin(ReadOnlySpan<byte> bytes) => bytes.IsEmpty || (char)bytes[0] is '\r' or (>= 'A' and <= 'Z');

    /// <summary>Parses a whole head.</summary>
    /// <param name="bytes">As long as <see cref="FindEnd"/> said.</param>
    /// <param name="text">At least as long. The head is a view of it.</param>
    /// <param name="head">Only valid where there is no problem.</param>
    /// <returns>The sentence for the client, where the head is invalid; otherwise <see langword="null"/>.</returns>
    internal static string? Parse(ReadOnlySpan<byte> bytes, Span<char> text, out HttpRequestHead head)
    {
        ReadOnlySpan<char> rest = text[..Encoding.Latin1.GetChars(bytes, text)];
        if (TryTakeLine(ref rest, out ReadOnlySpan<char> line) && line.IsEmpty)
        {
            TryTakeLine(ref rest, out line); // an empty line before a request is ignored: RFC 9112, section 2.2
        }

        if (!TryParseLine(line, rest, out head))
        {
            return "The request is not HTTP/1.1. This port takes WebSocket clients.";
        }

        while (TryTakeLine(ref rest, out line) && !line.IsEmpty)
        {
            if (!IsValid(line))
            {
                return "A header field is invalid or came twice.";
            }
        }

        foreach (string name in s_single)
        {
            if (head.Count(name) > 1)
            {
                return "A header field is invalid or came twice.";
            }
        }

        bool hasBody = head.TryFind("Transfer-Encoding", out _)
            || (head.TryFind("Content-Length", out ReadOnlySpan<char> length) && length is not "0");
        return head.Find("Host").IsEmpty ? "The Host header is missing." : hasBody ? "A request has no body here." : null;
    }

    // GET /ws?room=1 HTTP/1.1
    private static bool TryParseLine(ReadOnlySpan<char> line, ReadOnlySpan<char> fields, out HttpRequestHead head)
    {
        head = default;
        int methodEnd = line.IndexOf(' ');
        int end = line.LastIndexOf(' ');
        ReadOnlySpan<char> target = methodEnd < end ? line[(methodEnd + 1)..end] : default;
        if (methodEnd <= 0 || target.Contains(' ')
            || line[(end + 1)..] is not ['H', 'T', 'T', 'P', '/', '1', '.', >= '1' and <= '9']
            || line[..methodEnd].IndexOfAnyExcept(s_token) >= 0
            || !IsPrintable(target)
            || !TryTakeAuthority(ref target, out ReadOnlySpan<char> authority))
        {
            return false;
        }

        int query = target.IndexOf('?');
        ReadOnlySpan<char> path = query < 0 ? target : target[..query];
        head = new HttpRequestHead(line[..methodEnd], authority, path.IsEmpty ? "/" : path, fields);
        return path.IsEmpty ? !authority.IsEmpty : path[0] == '/' || path is "*";
    }

    // GET http://chat.example.org/ws HTTP/1.1
    private static bool TryTakeAuthority(scoped ref ReadOnlySpan<char> target, out ReadOnlySpan<char> authority)
    {
        authority = default;
        int begin = target.StartsWith("http://", StringComparison.OrdinalIgnoreCase) ? "http://".Length
            : target.StartsWith("https://", StringComparison.OrdinalIgnoreCase) ? "https://".Length
            : 0;
        if (begin == 0)
        {
            return true;
        }

        int length = target[begin..].IndexOfAny('/', '?');
        authority = length < 0 ? target[begin..] : target.Slice(begin, length);
        target = target[(begin + authority.Length)..];
        return WebAuthority.TryParse(authority, default, out _);
    }

    // IndexOfAnyExceptInRange would allocate for short spans.
    private static bool IsPrintable(ReadOnlySpan<char> text)
    {
        foreach (char c in text)
        {
            if (c is < ' ' or > '~')
            {
                return false;
            }
        }

        return true;
    }

    private static bool TryTakeLine(scoped ref ReadOnlySpan<char> rest, out ReadOnlySpan<char> line)
    {
        int length = rest.IndexOf(LineEnd);
        line = length < 0 ? default : rest[..length];
        rest = length < 0 ? default : rest[(length + LineEnd.Length)..];
        return length >= 0;
    }

    private static bool IsValid(ReadOnlySpan<char> line)
    {
        int colon = line.IndexOf(':');
        if (colon <= 0 || line[..colon].IndexOfAnyExcept(s_token) >= 0)
        {
            return false;
        }

        foreach (char c in line[(colon + 1)..])
        {
            if (c is (< ' ' and not '\t') or '\x7F')
            {
                return false;
            }
        }

        return true;
    }

    private static bool IsField(ReadOnlySpan<char> line, ReadOnlySpan<char> name, out ReadOnlySpan<char> value)
    {
        bool isField = line.Length > name.Length && line[name.Length] == ':'
            && line[..name.Length].Equals(name, StringComparison.OrdinalIgnoreCase);
        value = isField ? line[(name.Length + 1)..].Trim(" \t") : default;
        return isField;
    }

    private int Count(ReadOnlySpan<char> name)
    {
        int count = 0;
        ReadOnlySpan<char> rest = _fields;
        while (TryTakeLine(ref rest, out ReadOnlySpan<char> line))
        {
            count += IsField(line, name, out _) ? 1 : 0;
        }

        return count;
    }
}
