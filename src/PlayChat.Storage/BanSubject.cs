using System.Net;
using System.Net.Sockets;

namespace PlayChat.Storage;

/// <summary>The account name or the network that a ban is about. Immutable.</summary>
/// <remarks>
/// A ban holds the name and not the account, so it stays in effect when the account is removed and the name is registered again. Names are
/// compared as <see cref="AccountName"/> folds them.
/// </remarks>
public sealed record BanSubject
{
    private const int MappedPrefix = 96; // of an IPv4 address in its IPv6 form, ::ffff:0:0/96

    private BanSubject(BanKind kind, string text, string key)
    {
        Kind = kind;
        Text = text;
        Key = key;
    }

    /// <summary>The kind of subject.</summary>
    public BanKind Kind { get; }

    /// <summary>The name, or the network as <c>ADDRESS/PREFIX</c>.</summary>
    public string Text { get; }

    /// <summary>The normalized name or network: two spellings of the same subject have the same key.</summary>
    public string Key { get; }

    /// <summary>Names an account.</summary>
    /// <exception cref="ArgumentException"><see cref="AccountName"/> refuses the name.</exception>
    public static BanSubject OfAccount(string name) => new(BanKind.Account, name, AccountName.GetKey(name));

    /// <summary>Names the network that an address is in.</summary>
    /// <param name="address">Any address of the network. An IPv4 address in its IPv6 form counts as the IPv4 address.</param>
    /// <param name="prefixLength">
    /// The number of leading bits that all addresses of the network share, at most 32 or 128; <see langword="null"/> for the address alone
    /// (IPv4), or for its /64 network (IPv6), because one network owns all addresses that share their first 64 bits.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">The prefix length is not one of the address' family.</exception>
    public static BanSubject OfNetwork(IPAddress address, int? prefixLength = null)
    {
        ArgumentNullException.ThrowIfNull(address);
        if (address.IsIPv4MappedToIPv6 && prefixLength is null or >= MappedPrefix)
        {
            address = address.MapToIPv4();
            prefixLength -= MappedPrefix;
        }

        byte[] bytes = address.GetAddressBytes();
        bool isIPv4 = address.AddressFamily == AddressFamily.InterNetwork;
        int prefix = prefixLength ?? (isIPv4 ? 32 : 64);
        ArgumentOutOfRangeException.ThrowIfNegative(prefix, nameof(prefixLength));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(prefix, bytes.Length * 8, nameof(prefixLength));
        for (int bit = prefix; bit < bytes.Length * 8; bit++)
        {
            bytes[bit / 8] &= (byte)~(0x80 >> (bit % 8));
        }

        string text = $"{new IPAddress(bytes)}/{prefix}"; // without the scope of a link-local address
        return new BanSubject(BanKind.Network, text, text);
    }

    internal static BanSubject Of(BanKind kind, string text)
    {
        if (kind == BanKind.Account)
        {
            return OfAccount(text);
        }

        var network = IPNetwork.Parse(text);
        return OfNetwork(network.BaseAddress, network.PrefixLength);
    }

    /// <summary>The network; only for <see cref="BanKind.Network"/>.</summary>
    /// <exception cref="InvalidOperationException">It is an account.</exception>
    public IPNetwork ToNetwork() => Kind == BanKind.Network
        ? IPNetwork.Parse(Text)
        : throw new InvalidOperationException($"'{Text}' is the name of an account.");

    /// <summary>The name or the network, for a person.</summary>
    public override string ToString() => Text;
}
