using System.Net;
using System.Net.Sockets;

namespace PlayChat.Webhooks;

/// <summary>Connects to addresses of the public Internet alone.</summary>
/// <remarks>
/// The address that was checked is the one that is connected to. So a name that has another address at the second look (DNS rebinding)
/// does not lead into a private network.
/// </remarks>
internal static class PublicAddress
{
    // https://www.iana.org/assignments/iana-ipv4-special-registry: what is not globally reachable, and multicast.
    private static readonly IPNetwork[] s_reserved =
    [
        .. new[]
        {
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
            "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
            // Inside 2000::/3: special purposes with Teredo, documentation, and 6to4, which leads to any IPv4 address.
            "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
        }.Select(static text => IPNetwork.Parse(text)),
    ];

    // All that is global in IPv6 today. Private, link-local, loopback, multicast and translated addresses are outside.
    private static readonly IPNetwork s_global = IPNetwork.Parse("2000::/3");

    public static bool Is(IPAddress address)
    {
        IPAddress real = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        return (real.AddressFamily == AddressFamily.InterNetwork || s_global.Contains(real))
            && !s_reserved.Any(network => network.Contains(real));
    }

    /// <exception cref="HttpRequestException">The host has no address that is allowed.</exception>
    /// <exception cref="SocketException">The name is unknown, or no address answers.</exception>
    public static async ValueTask<Stream> ConnectAsync(DnsEndPoint host, bool allowPrivate, CancellationToken cancellationToken)
    {
        IPAddress[] found = await Dns.GetHostAddressesAsync(host.Host, cancellationToken).ConfigureAwait(false);
        IPAddress[] allowed = [.. found.Where(address => allowPrivate || Is(address))];
        if (allowed.Length == 0)
        {
            throw new HttpRequestException(
                $"'{host.Host}' has no public address. To allow a receiver on a private network, set AllowPrivateAddresses of its target.");
        }

        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(allowed, host.Port, cancellationToken).ConfigureAwait(false);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
