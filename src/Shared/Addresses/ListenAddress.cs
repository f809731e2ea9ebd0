using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace PlayChat.Addresses;

/// <summary>Reads where a server listens: <c>127.0.0.1:7777</c>, <c>[::1]:7777</c>, <c>localhost:7777</c>, <c>*:7777</c>.</summary>
internal static class ListenAddress
{
    /// <summary>Reads an address with its port. <c>*</c> is every address, IPv4 and IPv6 where the system has both.</summary>
    public static bool TryParse(string text, [NotNullWhen(true)] out IPEndPoint? endPoint)
    {
        endPoint = null;
        int colon = text.LastIndexOf(':');
        if (colon <= 0 || !ushort.TryParse(text.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out ushort port))
        {
            return false;
        }

        IPAddress? host = text[..colon] switch
        {
            "*" => Socket.OSSupportsIPv6 ? IPAddress.IPv6Any : IPAddress.Any,
            var name when name.Equals("localhost", StringComparison.OrdinalIgnoreCase) => IPAddress.Loopback,
            ['[', .. string inner, ']'] when inner.Contains(':', StringComparison.Ordinal) && StrictAddress.TryParse(
                inner, out IPAddress? ipv6) => ipv6,
            var name when !name.Contains(':', StringComparison.Ordinal) && StrictAddress.TryParse(name, out IPAddress? ipv4) => ipv4,
            _ => null,
        };
        endPoint = host is null ? null : new IPEndPoint(host, port);
        return endPoint is not null;
    }

    /// <summary>Whether the system would refuse to listen on both addresses.</summary>
    /// <returns><see langword="false"/> also where one of them is invalid, or takes a free port.</returns>
    public static bool Overlap(string first, string second)
    {
        if (!TryParse(first, out IPEndPoint? one) || !TryParse(second, out IPEndPoint? other) || one.Port != other.Port || one.Port == 0)
        {
            return false;
        }

        // Windows lets a listener on one address take its connections from a listener on every address.
        return one.Address.Equals(other.Address) || (!OperatingSystem.IsWindows() && (Covers(one, other) || Covers(other, one)));

        static bool Covers(IPEndPoint every, IPEndPoint single) =>
            every.Address.Equals(IPAddress.IPv6Any)
            || (every.Address.Equals(IPAddress.Any) && single.AddressFamily == AddressFamily.InterNetwork);
    }
}
