using System.Net;
using System.Net.Sockets;

namespace PlayChat.Server.Accounts;

/// <summary>Whose login it is said to be, and where it comes from.</summary>
/// <param name="NameKey">The name as <see cref="Storage.AccountName"/> folds it.</param>
/// <param name="Network">
/// The peer's address; of an IPv6 address but ::1 the first 64 bits, since one network owns all addresses that share them.
/// </param>
internal readonly record struct LoginOrigin(string NameKey, IPAddress Network)
{
    private const int NetworkBytes = 8;

    /// <param name="nameKey">The name as <see cref="Storage.AccountName"/> folds it.</param>
    /// <param name="endPoint">The peer; what is not IP counts as one address.</param>
    public static LoginOrigin Of(string nameKey, EndPoint? endPoint) => new(nameKey, NetworkOf(endPoint));

    /// <summary>The network of a peer, as <see cref="Network"/> says.</summary>
    public static IPAddress NetworkOf(EndPoint? endPoint)
    {
        IPAddress address = (endPoint as IPEndPoint)?.Address ?? IPAddress.None;
        if (address.IsIPv4MappedToIPv6)
        {
            address = address.MapToIPv4();
        }
        else if (address.AddressFamily == AddressFamily.InterNetworkV6 && !IPAddress.IsLoopback(address))
        {
            byte[] bytes = address.GetAddressBytes();
            bytes.AsSpan(NetworkBytes).Clear();
            address = new IPAddress(bytes);
        }

        return address;
    }
}
