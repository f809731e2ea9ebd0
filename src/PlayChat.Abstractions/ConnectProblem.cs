using System.Net.Sockets;

namespace PlayChat.Core.Transport;

/// <summary>Says why a connection could not be made, and what to do.</summary>
internal static class ConnectProblem
{
    /// <summary>Describes why a connection could not be made.</summary>
    internal static string Describe(EndPoint endPoint, Exception cause) =>
        Describe(endPoint is DnsEndPoint dns ? $"{dns.Host}:{dns.Port}" : endPoint.ToString()!, cause);

    /// <inheritdoc cref="Describe(EndPoint, Exception)"/>
    internal static string Describe(string address, Exception cause)
    {
        string why = (cause as SocketException)?.SocketErrorCode switch
        {
            SocketError.ConnectionRefused => "connection refused; check that the server runs and that the port is correct",
            SocketError.HostNotFound or SocketError.NoData or SocketError.TryAgain => "the host name is unknown",
            SocketError.TimedOut => "the attempt timed out; check the address, and that no firewall blocks the port",
            SocketError.AddressNotAvailable => "no local port is free; raise the port range or use fewer connections",
            SocketError.TooManyOpenSockets => "this process has too many open files; raise its limit (ulimit -n)",
            _ => cause.Message.TrimEnd('.'),
        };
        return $"Cannot connect to {address}: {why}.";
    }
}
