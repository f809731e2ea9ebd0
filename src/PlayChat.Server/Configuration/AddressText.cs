using System.Diagnostics.CodeAnalysis;
using System.Net;

namespace PlayChat.Server.Configuration;

/// <summary>Reads addresses of the configuration: <c>127.0.0.1:7781</c>, <c>[::1]:7781</c>, <c>localhost:7781</c>, <c>*:7781</c>.</summary>
internal static class AddressText
{
    public static bool TryParse(string address, [NotNullWhen(true)] out IPEndPoint? endPoint)
    {
        string numeric = address.StartsWith("*:", StringComparison.Ordinal) ? string.Concat("[::]", address.AsSpan(1))
            : address.StartsWith("localhost:", StringComparison.OrdinalIgnoreCase) ? string.Concat("127.0.0.1:", address.AsSpan(10))
            : address;
        // IPEndPoint takes a missing port for 0, and an IPv6 address without brackets for one without a port.
        int colon = numeric.LastIndexOf(':');
        endPoint = null;
        return colon > 0 && (numeric.IndexOf(':', StringComparison.Ordinal) == colon || numeric[colon - 1] == ']')
            && colon < numeric.Length - 1 && IPEndPoint.TryParse(numeric, out endPoint);
    }
}
