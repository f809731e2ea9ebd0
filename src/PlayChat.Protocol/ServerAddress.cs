using System.Net;
using PlayChat.Addresses;

namespace PlayChat.Protocol;

/// <summary>The address of a server, as text and as an endpoint.</summary>
internal static class ServerAddress
{
    /// <exception cref="ArgumentException">The host is empty, or there is no such port.</exception>
    public static EndPoint Create(string host, int port)
    {
        ArgumentException.ThrowIfNullOrEmpty(host);
        ArgumentOutOfRangeException.ThrowIfLessThan(port, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(port, ushort.MaxValue);
        return IPAddress.TryParse(host, out IPAddress? address) ? new IPEndPoint(address, port) : new DnsEndPoint(host, port);
    }

    /// <summary>Reads HOST:PORT; an IPv6 address stands in brackets.</summary>
    /// <returns><see langword="null"/> for anything else.</returns>
    public static EndPoint? TryParse(string text) =>
        HostPort.TryParse(text, out string? host, out ushort port) ? Create(host, port) : null;

    /// <summary>The host of an endpoint.</summary>
    /// <returns><see langword="null"/> for an endpoint of another kind.</returns>
    public static string? HostOf(EndPoint endPoint) => endPoint switch
    {
        DnsEndPoint dns => dns.Host,
        IPEndPoint ip => ip.Address.ToString(),
        _ => null,
    };
}
