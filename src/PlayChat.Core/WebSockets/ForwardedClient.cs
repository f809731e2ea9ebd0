using PlayChat.Addresses;

namespace PlayChat.Core.WebSockets;

/// <summary>
/// Finds the client of a request that came through HTTP proxies: by <c>X-Forwarded-For</c>, or by <c>Forwarded</c> (RFC 7239).
/// </summary>
/// <remarks>
/// Each proxy adds the address of its own peer at the end of the list. So the list is read from its end, and an address is believed while
/// the peer that has added it is a trusted proxy. A client can invent everything before that. It holds no state and never throws because of
/// the input.
/// </remarks>
internal static class ForwardedClient
{
    /// <summary>The sentence for a request whose fields do not name the client for certain.</summary>
    internal const string Problem = "The proxy must set either X-Forwarded-For or a well-formed Forwarded field, and remove the other one.";

    /// <summary>Finds the client of a request that one of the proxies has passed on: the proxy itself where it names none.</summary>
    /// <returns>
    /// <see langword="false"/> where both fields were sent, or <c>Forwarded</c> is malformed: one of them may be what the client has
    /// invented and the proxy has passed on.
    /// </returns>
    internal static bool TryFind(in HttpRequestHead request, IReadOnlyList<IPNetwork> proxies, EndPoint? peer, out EndPoint? client)
    {
        client = peer;
        List<string> plain = request.FindAll("X-Forwarded-For");
        List<string> standard = request.FindAll("Forwarded");
        if (plain.Count > 0 && standard.Count > 0)
        {
            return false;
        }

        List<string> nodes = [];
        foreach (string line in standard)
        {
            if (!TryReadElements(line, nodes))
            {
                return false;
            }
        }

        foreach (string line in plain)
        {
            nodes.AddRange(line.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries));
        }

        // A proxy may hide its peer: "unknown". Then nothing further is known.
        for (int i = nodes.Count - 1; i >= 0 && TrustedNetworks.Contain(proxies, client) && TryParse(nodes[i], out IPEndPoint? node); i--)
        {
            client = node;
        }

        return true;
    }

    /// <summary>Reads the node of each element; empty for an element that has none.</summary>
    // for=192.0.2.43;proto=https, for="[2001:db8::17]:4711"
    private static bool TryReadElements(string line, List<string> nodes)
    {
        string node = "";
        int i = 0;
        while (true)
        {
            int equals = line.IndexOf('=', i);
            string name = equals < 0 ? "" : line[i..equals].Trim();
            if (name.Length == 0 || !name.All(char.IsAsciiLetterOrDigit) || !TryReadValue(line, equals + 1, out string? value, out int end))
            {
                return false;
            }

            if (name.Equals("for", StringComparison.OrdinalIgnoreCase))
            {
                node = value;
            }

            if (end == line.Length || line[end] == ',')
            {
                nodes.Add(node);
                node = "";
            }

            if (end == line.Length)
            {
                return true;
            }

            i = end + 1;
        }
    }

    /// <summary>Reads a token or a quoted text, and the space behind it.</summary>
    private static bool TryReadValue(string line, int start, [NotNullWhen(true)] out string? value, out int end)
    {
        value = null;
        end = start;
        if (start < line.Length && line[start] == '"')
        {
            // No address has an escaped character, so one is not read.
            end = line.IndexOf('"', start + 1) + 1;
            if (end == 0 || line[start..end].Contains('\\', StringComparison.Ordinal))
            {
                return false;
            }

            value = line[(start + 1)..(end - 1)];
        }
        else
        {
            while (end < line.Length && line[end] is not (',' or ';' or '"' or '=' or ' ' or '\t'))
            {
                end++;
            }

            value = line[start..end];
        }

        while (end < line.Length && line[end] is ' ' or '\t')
        {
            end++;
        }

        return end == line.Length || line[end] is ',' or ';';
    }

    // 192.0.2.1, 192.0.2.1:40000, 2001:db8::1, [2001:db8::1] or [2001:db8::1]:40000.
    private static bool TryParse(string text, [NotNullWhen(true)] out IPEndPoint? node)
    {
        node = null;
        int portAt = text.EndsWith(']') ? -1 : text.LastIndexOf(':');
        bool hasPort = portAt >= 0 && (text.StartsWith('[') || text.IndexOf(':', StringComparison.Ordinal) == portAt);
        string host = hasPort ? text[..portAt] : text;
        if (host.StartsWith('[') && host.EndsWith(']'))
        {
            host = host[1..^1];
        }

        ushort port = 0;
        if (host.Contains('%', StringComparison.Ordinal)
            || (hasPort && !ushort.TryParse(text.AsSpan(portAt + 1), NumberStyles.None, CultureInfo.InvariantCulture, out port))
            || !StrictAddress.TryParse(host, out IPAddress? address))
        {
            return false;
        }

        node = new IPEndPoint(address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address, port);
        return true;
    }
}
