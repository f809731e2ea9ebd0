using System.Buffers;
using System.Globalization;
using System.Net;
using System.Text;

namespace PlayChat.Web;

/// <summary>The host and port of an origin or of a <c>Host</c> header, so that two texts for one place are equal.</summary>
/// <remarks>RFC 6454, section 4; RFC 3986, section 3.2.2. A view of the text.</remarks>
internal readonly ref struct WebAuthority
{
    private static readonly SearchValues<char> s_delimiters = SearchValues.Create("[]:/@\\?# \t");

    private WebAuthority(ReadOnlySpan<char> host, int port)
    {
        Host = host;
        Port = port;
    }

    /// <summary>The host: without brackets where it is an IPv6 address, and without the dot at the end of a full name.</summary>
    public ReadOnlySpan<char> Host { get; }

    /// <summary>The port; that of the scheme where there was none, and 0 where that is not known either.</summary>
    public int Port { get; }

    /// <summary>Parses the value of <c>Host</c>.</summary>
    /// <param name="text">A host, and a port unless it is the usual one.</param>
    /// <param name="scheme">The scheme whose usual port is meant; empty where it does not matter.</param>
    /// <param name="authority">Only valid where there is one.</param>
    /// <param name="isOwn">
    /// Whether an operator wrote it, maybe as the name reads. A peer sends the ASCII form: other characters are an error and not converted.
    /// </param>
    public static bool TryParse(ReadOnlySpan<char> text, ReadOnlySpan<char> scheme, out WebAuthority authority, bool isOwn = false)
    {
        authority = default;
        if (!isOwn && !Ascii.IsValid(text))
        {
            return false;
        }

        int portAt = text.LastIndexOf(':');
        if (portAt <= text.LastIndexOf(']'))
        {
            portAt = -1;
        }

        ReadOnlySpan<char> host = portAt < 0 ? text : text[..portAt];
        ReadOnlySpan<char> digits = portAt < 0 ? default : text[(portAt + 1)..];
        int port = UsualPortOf(scheme);
        if (!digits.IsEmpty && (!int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out port) || port is 0 or > 65_535))
        {
            return false;
        }

        bool isBracketed = host.Length > 2 && host[0] == '[' && host[^1] == ']';
        host = isBracketed ? host[1..^1] : host.EndsWith(".") ? host[..^1] : host;
        if (isBracketed ? !IPAddress.TryParse(host, out _) : host.IsEmpty || host.ContainsAny(s_delimiters) || !TryMakeAscii(ref host))
        {
            return false;
        }

        authority = new WebAuthority(host, port);
        return true;
    }

    /// <summary>Parses an origin such as <c>https://chat.example.org</c>.</summary>
    /// <param name="origin">A scheme, and what <see cref="TryParse"/> takes.</param>
    /// <param name="scheme">The scheme.</param>
    /// <param name="authority">Only valid where there is one.</param>
    /// <param name="isOwn">As of <see cref="TryParse"/>.</param>
    public static bool TryParseOrigin(
        ReadOnlySpan<char> origin, out ReadOnlySpan<char> scheme, out WebAuthority authority, bool isOwn = false)
    {
        int schemeEnd = origin.IndexOf("://", StringComparison.Ordinal);
        scheme = origin[..Math.Max(schemeEnd, 0)];
        authority = default;
        return schemeEnd > 0 && TryParse(origin[(schemeEnd + 3)..], scheme, out authority, isOwn);
    }

    public bool Equals(WebAuthority other) => Port == other.Port && IsHost(other.Host);

    /// <summary>Whether a name is this host, however its letters or the digits of its address are written.</summary>
    /// <param name="name">Without a port.</param>
    public bool IsHost(ReadOnlySpan<char> name) =>
        Host.Equals(name, StringComparison.OrdinalIgnoreCase)
        || (Host.Contains(':') && IPAddress.TryParse(Host, out IPAddress? address) && IPAddress.TryParse(name, out IPAddress? own)
            && address.Equals(own));

    // A browser sends the ASCII form of a name, an operator writes it as it reads.
    private static bool TryMakeAscii(ref ReadOnlySpan<char> host)
    {
        if (Ascii.IsValid(host))
        {
            return true;
        }

        try
        {
            host = new IdnMapping().GetAscii(host.ToString());
            return true;
        }
        catch (ArgumentException)
        {
            return false; // no name
        }
    }

    private static int UsualPortOf(ReadOnlySpan<char> scheme) =>
        scheme.Equals("https", StringComparison.OrdinalIgnoreCase) || scheme.Equals("wss", StringComparison.OrdinalIgnoreCase) ? 443
        : scheme.Equals("http", StringComparison.OrdinalIgnoreCase) || scheme.Equals("ws", StringComparison.OrdinalIgnoreCase) ? 80
        : 0;
}
