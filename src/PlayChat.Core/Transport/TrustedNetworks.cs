using PlayChat.Addresses;

namespace PlayChat.Core.Transport;

/// <summary>The addresses and networks of an option, such as those of proxies.</summary>
internal static class TrustedNetworks
{
    /// <summary>Parses a list of addresses and networks, separated by commas.</summary>
    /// <param name="text">The list; empty for none.</param>
    /// <param name="networks">The networks; an address is a network of its own.</param>
    /// <param name="problem">The part that is neither an address nor a network.</param>
    /// <returns><see langword="false"/> if there is such a part.</returns>
    internal static bool TryParse(string text, out IReadOnlyList<IPNetwork> networks, out string problem)
    {
        List<IPNetwork> found = [];
        networks = found;
        problem = "";
        foreach (string part in text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            // An IPv4 address in its IPv6 form would match no peer: a peer's address is compared in its IPv4 form.
            if (StrictAddress.TryParse(part, out IPAddress? address) && !address.IsIPv4MappedToIPv6)
            {
                found.Add(new IPNetwork(address, address.GetAddressBytes().Length * 8));
            }
            else if (StrictAddress.TryParseNetwork(part, out IPNetwork network) && !network.BaseAddress.IsIPv4MappedToIPv6)
            {
                found.Add(network);
            }
            else
            {
                problem = part;
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether a peer is in one of the networks; one without an IP address is in none.</summary>
    internal static bool Contain(IReadOnlyList<IPNetwork> networks, EndPoint? peer)
    {
        if (networks.Count == 0 || peer is not IPEndPoint { Address: var address })
        {
            return false;
        }

        IPAddress own = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        return networks.Any(network => network.Contains(own));
    }
}
