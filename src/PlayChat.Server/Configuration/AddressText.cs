using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using PlayChat.Addresses;

namespace PlayChat.Server.Configuration;

/// <summary>Reads addresses of the configuration: <c>127.0.0.1:7781</c>, <c>[::1]:7781</c>, <c>localhost:7781</c>, <c>*:7781</c>.</summary>
internal static class AddressText
{
    /// <summary>Whether the system would refuse to listen on both addresses.</summary>
    /// <returns><see langword="false"/> also where one of them is none, or takes a free port.</returns>
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

    public static bool TryParse(string address, [NotNullWhen(true)] out IPEndPoint? endPoint)
    {
        endPoint = null;
        int colon = address.LastIndexOf(':');
        if (colon <= 0 || !ushort.TryParse(address.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out ushort port))
        {
            return false;
        }

        IPAddress? host = address[..colon] switch
        {
            "*" => IPAddress.IPv6Any,
            var name when name.Equals("localhost", StringComparison.OrdinalIgnoreCase) => IPAddress.Loopback,
            ['[', .. string inner, ']'] when inner.Contains(':', StringComparison.Ordinal) && StrictAddress.TryParse(
                inner, out IPAddress? ipv6) => ipv6,
            var name when !name.Contains(':', StringComparison.Ordinal) && StrictAddress.TryParse(name, out IPAddress? ipv4) => ipv4,
            _ => null,
        };
        endPoint = host is null ? null : new IPEndPoint(host, port);
        return endPoint is not null;
    }
}
