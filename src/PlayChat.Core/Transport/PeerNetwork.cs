namespace PlayChat.Core.Transport;

/// <summary>The network that a peer belongs to, as limits count it: an IPv4 address, or the first 64 bits of an IPv6 address.</summary>
/// <remarks>
/// A host that has one address of an IPv6 /64 network has all of them, so the network counts and not the address. An IPv4 address on an
/// IPv6 socket counts as itself. The value is one number, so that it costs a link eight bytes: the first 64 bits of an IPv6 address, or 32
/// one bits and an IPv4 address. The two kinds never collide, because IPv6 addresses that start with 32 one bits are multicast addresses.
/// </remarks>
internal readonly record struct PeerNetwork
{
    private const ulong IPv4Mark = 0xFFFF_FFFF_0000_0000;
    private const ulong LoopbackIPv4 = IPv4Mark | 0x7F00_0000; // 127.0.0.0/8
    private const ulong LoopbackIPv4Mask = IPv4Mark | 0xFF00_0000;

    private readonly ulong _bits;

    private PeerNetwork(ulong bits) => _bits = bits;

    /// <summary>Whether the peer is on this machine: 127.0.0.0/8 or ::1.</summary>
    internal bool IsLoopback => _bits == 0 || (_bits & LoopbackIPv4Mask) == LoopbackIPv4;

    private bool IsIPv4 => (_bits & IPv4Mark) == IPv4Mark;

    /// <summary>The network of a peer's end point; <see langword="null"/> if it has no IP address.</summary>
    internal static PeerNetwork? Of(EndPoint? endPoint) => endPoint is IPEndPoint { Address: var address } ? Of(address) : null;

    internal static PeerNetwork Of(IPAddress address)
    {
        Span<byte> bytes = stackalloc byte[16];
        address.TryWriteBytes(bytes, out _);
        return address.AddressFamily == AddressFamily.InterNetwork ? new(IPv4Mark | BinaryPrimitives.ReadUInt32BigEndian(bytes))
            : address.IsIPv4MappedToIPv6 ? new(IPv4Mark | BinaryPrimitives.ReadUInt32BigEndian(bytes[12..]))
            : new(BinaryPrimitives.ReadUInt64BigEndian(bytes));
    }

    /// <summary>The address, or the IPv6 network as <c>2001:db8:0:1::/64</c>.</summary>
    public override string ToString()
    {
        Span<byte> bytes = stackalloc byte[16];
        bytes.Clear();
        BinaryPrimitives.WriteUInt64BigEndian(bytes, _bits);
        return IsIPv4 ? new IPAddress(bytes[4..8]).ToString() : $"{new IPAddress(bytes)}/64";
    }
}
