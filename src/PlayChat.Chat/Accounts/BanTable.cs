using System.Buffers.Binary;
using System.Net.Sockets;

namespace PlayChat.Chat.Accounts;

/// <summary>Finds the ban of a player or of an address. Immutable.</summary>
/// <remarks>Looking up an address costs one step for each prefix length that a ban has, however many bans there are.</remarks>
internal sealed class BanTable
{
    private readonly Dictionary<string, Ban> _names = new(StringComparer.Ordinal);
    private readonly List<(AddressFamily Family, int Prefix, Dictionary<UInt128, Ban> Networks)> _prefixes = [];

    /// <param name="bans">At most one of each subject.</param>
    public BanTable(IReadOnlyList<Ban> bans)
    {
        All = bans;
        foreach (Ban ban in bans)
        {
            if (ban.Subject.Kind == BanKind.Account)
            {
                _names[ban.Subject.Key] = ban;
            }
            else
            {
                IPNetwork network = ban.Subject.ToNetwork();
                NetworksOf(network.BaseAddress.AddressFamily, network.PrefixLength)[Bits(network.BaseAddress, network.PrefixLength)] = ban;
            }
        }
    }

    public IReadOnlyList<Ban> All { get; }

    /// <summary>Whether an address may be banned.</summary>
    public bool HasNetworks => _prefixes.Count > 0;

    /// <summary>The ban of a player's name.</summary>
    /// <returns><see langword="null"/> when there is none, or it has expired.</returns>
    public Ban? FindName(string name, DateTimeOffset now) =>
        _names.Count > 0 && AccountName.TryGetKey(name, out string? key) && _names.GetValueOrDefault(key) is { } ban && !ban.HasExpired(now)
            ? ban
            : null;

    /// <summary>The ban of a network that has the address; of several the one that ends last.</summary>
    /// <returns><see langword="null"/> when there is none that is in effect, or the peer has no IP address.</returns>
    public Ban? FindAddress(EndPoint? peer, DateTimeOffset now)
    {
        if (!HasNetworks || peer is not IPEndPoint { Address: var address })
        {
            return null;
        }

        address = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        Ban? found = null;
        foreach ((AddressFamily family, int prefix, Dictionary<UInt128, Ban> networks) in _prefixes)
        {
            if (family == address.AddressFamily
                && networks.TryGetValue(Bits(address, prefix), out Ban? ban)
                && !ban.HasExpired(now)
                && (found is null || (ban.ExpiresAt ?? DateTimeOffset.MaxValue) > (found.ExpiresAt ?? DateTimeOffset.MaxValue)))
            {
                found = ban;
            }
        }

        return found;
    }

    /// <summary>The leading bits of an address; the others are 0.</summary>
    private static UInt128 Bits(IPAddress address, int prefix)
    {
        Span<byte> bytes = stackalloc byte[16]; // an IPv4 address takes the first four
        bytes.Clear();
        address.TryWriteBytes(bytes, out _);
        return prefix == 0 ? UInt128.Zero : BinaryPrimitives.ReadUInt128BigEndian(bytes) & (UInt128.MaxValue << (128 - prefix));
    }

    private Dictionary<UInt128, Ban> NetworksOf(AddressFamily family, int prefix)
    {
        int index = _prefixes.FindIndex(entry => entry.Family == family && entry.Prefix == prefix);
        if (index < 0)
        {
            index = _prefixes.Count;
            _prefixes.Add((family, prefix, []));
        }

        return _prefixes[index].Networks;
    }
}
