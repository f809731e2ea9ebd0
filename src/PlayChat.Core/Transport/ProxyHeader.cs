namespace PlayChat.Core.Transport;

/// <summary>
/// Parses the header that a proxy sends before the bytes of a client: the PROXY protocol, versions 1 (text) and 2 (binary).
/// </summary>
/// <remarks>
/// Specification: https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt. It holds no state and never throws because of the input.
/// Additional fields of version 2 (TLV) are skipped; a checksum among them is not checked, since TCP has one.
/// </remarks>
internal static class ProxyHeader
{
    /// <summary>The largest header that is read. Real ones have less than 1 KB, most of it details of the client's TLS.</summary>
    internal const int MaxBytes = 4096;

    private const int PrefixBytes = 16; // of version 2: signature, version and command, family, length
    private const int IPv4Bytes = 12; // two addresses and two ports
    private const int IPv6Bytes = 36;
    private const int MaxLineBytes = 107; // of version 1
    private const byte Version = 0x20;

    // Commands of version 2: the proxy speaks for itself, for example to check the server's health, or for a client.
    private const byte Local = Version | 0;
    private const byte Proxied = Version | 1;

    // Families of version 2, with the transport in the low half; 1 is a stream.
    private const byte Unspecified = 0x00;
    private const byte TcpOverIPv4 = 0x11;
    private const byte TcpOverIPv6 = 0x21;
    private const byte UnixStream = 0x31;

    private static ReadOnlySpan<byte> Signature => "\r\n\r\n\0\r\nQUIT\n"u8;

    private static ReadOnlySpan<byte> LineStart => "PROXY "u8;

    /// <summary>Tells how long the header is, as far as its beginning says, so that a reader never takes a byte of the client's.</summary>
    /// <param name="start">The bytes of the header that were read.</param>
    /// <returns>
    /// The length to read up to; that of <paramref name="start"/> when the header is complete; -1 when this is no header.
    /// </returns>
    internal static int GetBytesNeeded(ReadOnlySpan<byte> start)
    {
        if (start.Length < Signature.Length)
        {
            return Signature.Length; // shorter than any header of either version
        }

        if (start.StartsWith(LineStart))
        {
            return start[^1] == '\n' ? start.Length : start.Length < MaxLineBytes ? start.Length + 1 : -1;
        }

        if (!start.StartsWith(Signature))
        {
            return -1;
        }

        if (start.Length < PrefixBytes)
        {
            return PrefixBytes;
        }

        int bytes = PrefixBytes + BinaryPrimitives.ReadUInt16BigEndian(start[14..]);
        return start[12] is Local or Proxied && bytes <= MaxBytes ? bytes : -1;
    }

    /// <summary>Reads the client's address from a complete header.</summary>
    /// <param name="header">As long as <see cref="GetBytesNeeded"/> says.</param>
    /// <param name="client">
    /// <see langword="null"/> when the header names none: the proxy speaks for itself, or the client has no IP address.
    /// </param>
    /// <returns><see langword="false"/> when the header is malformed.</returns>
    internal static bool TryParse(ReadOnlySpan<byte> header, out IPEndPoint? client)
    {
        client = null;
        return GetBytesNeeded(header) == header.Length
            && (header.StartsWith(LineStart) ? TryParseLine(header, out client) : TryParseBinary(header, out client));
    }

    private static bool TryParseBinary(ReadOnlySpan<byte> header, out IPEndPoint? client)
    {
        client = null;
        ReadOnlySpan<byte> addresses = header[PrefixBytes..];
        if (header[12] == Local)
        {
            return true; // whatever else it says is to be ignored
        }

        switch (header[13])
        {
            case Unspecified or UnixStream:
                return true;
            case TcpOverIPv4 when addresses.Length >= IPv4Bytes:
                client = new IPEndPoint(new IPAddress(addresses[..4]), BinaryPrimitives.ReadUInt16BigEndian(addresses[8..]));
                return true;
            case TcpOverIPv6 when addresses.Length >= IPv6Bytes:
                client = new IPEndPoint(new IPAddress(addresses[..16]), BinaryPrimitives.ReadUInt16BigEndian(addresses[32..]));
                return true;
            default:
                return false;
        }
    }

    // PROXY TCP4 192.0.2.1 198.51.100.1 40000 7777, ended by CR LF.
    private static bool TryParseLine(ReadOnlySpan<byte> header, out IPEndPoint? client)
    {
        client = null;
        if (!header.EndsWith("\r\n"u8) || !Ascii.IsValid(header))
        {
            return false;
        }

        string[] words = Encoding.ASCII.GetString(header[..^2]).Split(' ');
        if (words[1] == "UNKNOWN")
        {
            return true;
        }

        AddressFamily family = words[1] switch
        {
            "TCP4" => AddressFamily.InterNetwork,
            "TCP6" => AddressFamily.InterNetworkV6,
            _ => AddressFamily.Unknown,
        };
        if (words.Length != 6
            || !TryParseAddress(words[2], family, out IPAddress? source)
            || !TryParseAddress(words[3], family, out _)
            || !TryParsePort(words[4], out ushort port)
            || !TryParsePort(words[5], out _))
        {
            return false;
        }

        client = new IPEndPoint(source!, port);
        return true;
    }

    // The parser of .NET accepts more than the specification: parts in hexadecimal, fewer than four parts, brackets and scopes.
    private static bool TryParseAddress(string text, AddressFamily family, out IPAddress? address) =>
        IPAddress.TryParse(text, out address)
        && address.AddressFamily == family
        && (family == AddressFamily.InterNetwork ? address.ToString() == text : text.IndexOfAny(['[', '%']) < 0);

    private static bool TryParsePort(string text, out ushort port) =>
        ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out port);
}
