namespace PlayChat.Core.Connections;

/// <summary>Says what is wrong with bytes that are no frame, and what to change, as far as the first bytes show it.</summary>
internal static class BadFrameText
{
    private const int ShownBytes = 8; // the header of a packet

    private static readonly string[] s_httpMethods = ["GET ", "POST ", "HEAD ", "PUT ", "OPTIONS ", "DELETE ", "CONNECT ", "PRI * "];

    /// <summary>Describes a bad frame in one to three sentences.</summary>
    /// <param name="format">The format that the peer should have used.</param>
    /// <param name="reason">What the decoder says.</param>
    /// <param name="start">The first of the bytes.</param>
    internal static string Describe(FrameFormat format, CloseReason reason, ReadOnlySpan<byte> start)
    {
        string first = $"First bytes: {Convert.ToHexString(start[..Math.Min(start.Length, ShownBytes)])}.";
        string what = OfAnotherProtocol(start) ?? OfLength(format, reason, start) ?? (reason == CloseReason.FrameTooLarge
            ? Text($"The frame is longer than {format.MaxFrameBytes} bytes: raise maxFrameBytes of the server's FrameFormat, or send less.")
            : $"It is no frame of the format '{format.Name}': client and server must use the same one.");
        return $"{what} {first}";
    }

    private static string? OfAnotherProtocol(ReadOnlySpan<byte> start)
    {
        foreach (string method in s_httpMethods)
        {
            if (StartsWith(start, method))
            {
                return "It looks like an HTTP request: this endpoint takes TCP clients, and WebSocket clients need one with "
                    + "WebSocket:Enabled.";
            }
        }

        return start is [0x16, 0x03, <= 0x04, ..]
                ? "It looks like a TLS handshake: give the endpoint a certificate (Tls:CertificatePath), or connect without TLS."
            : StartsWith(start, "PROXY ") || StartsWith(start, "\r\n\r\n\0\r\nQUIT\n")
                ? "It looks like a PROXY protocol header: name the proxy in the endpoint's ProxyProtocol:TrustedSources."
            : StartsWith(start, "SSH-") ? "It looks like an SSH client."
            : null;
    }

    /// <summary>Reads the length that a length prefix announces, also in the other byte order.</summary>
    private static string? OfLength(FrameFormat format, CloseReason reason, ReadOnlySpan<byte> start)
    {
        (int bytes, bool isLittle) = format.Name switch
        {
            "packet" or "length4" => (sizeof(uint), false),
            "length4-le" => (sizeof(uint), true),
            "length2" => (sizeof(ushort), false),
            "length2-le" => (sizeof(ushort), true),
            _ => (0, false),
        };
        if (bytes == 0 || start.Length < bytes)
        {
            return null;
        }

        int least = format.HasHeartbeat ? PacketCodec.MinLength : 0;
        uint length = Read(start[..bytes], isLittle);
        uint swapped = Read(start[..bytes], !isLittle);
        string order = isLittle ? "big" : "little";
        string hint = swapped >= least && swapped <= format.MaxFrameBytes
            ? Text($" In {order}-endian order it would be {swapped}: check the byte order in which the client writes lengths.")
            : "";
        return reason == CloseReason.FrameTooLarge
            ? Text($"Its length is {length} bytes, and the largest is {format.MaxFrameBytes}: raise maxFrameBytes of the server's ")
                + $"FrameFormat, or send less.{hint}"
            : Text($"Its length is {length} bytes, and the least is {least}.{hint}");
    }

    private static uint Read(ReadOnlySpan<byte> bytes, bool isLittle) => (bytes.Length, isLittle) switch
    {
        (sizeof(ushort), true) => BinaryPrimitives.ReadUInt16LittleEndian(bytes),
        (sizeof(ushort), false) => BinaryPrimitives.ReadUInt16BigEndian(bytes),
        (_, true) => BinaryPrimitives.ReadUInt32LittleEndian(bytes),
        _ => BinaryPrimitives.ReadUInt32BigEndian(bytes),
    };

    private static bool StartsWith(ReadOnlySpan<byte> start, string text) =>
        start.Length >= text.Length && Ascii.Equals(start[..text.Length], text);

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
