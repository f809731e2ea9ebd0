using System.Net.Sockets;

namespace PlayChat.Chat.Diagnostics;

/// <summary>
/// The network of a client, as limits and the log count it: its address, but of an IPv6 address other than ::1 the first 64 bits, since
/// one network owns all addresses that share them.
/// </summary>
internal static class ClientNetwork
{
    private const int NetworkBytes = 8;

    /// <param name="endPoint">The client; what is not IP counts as one address.</param>
    public static IPAddress Of(EndPoint? endPoint)
    {
        IPAddress address = (endPoint as IPEndPoint)?.Address ?? IPAddress.None;
        if (address.IsIPv4MappedToIPv6)
        {
            return address.MapToIPv4();
        }

        if (!IsShared(address))
        {
            return address;
        }

        byte[] bytes = address.GetAddressBytes();
        bytes.AsSpan(NetworkBytes).Clear();
        return new IPAddress(bytes);
    }

    /// <summary>The network as a person reads it: <c>192.0.2.1</c>, <c>2001:db8::/64</c>.</summary>
    public static string Describe(EndPoint? endPoint)
    {
        IPAddress network = Of(endPoint);
        return IsShared(network) ? $"{network}/64" : network.ToString();
    }

    private static bool IsShared(IPAddress address) =>
        address.AddressFamily == AddressFamily.InterNetworkV6 && !IPAddress.IsLoopback(address);
}
