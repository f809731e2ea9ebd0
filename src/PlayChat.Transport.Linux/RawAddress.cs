using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;

namespace PlayChat.Transport.Linux;

/// <summary>
/// A sockaddr_in or sockaddr_in6 as the system writes it. A link keeps the peer's, and makes an object only when asked for it.
/// </summary>
[InlineArray(MaxBytes)]
internal struct RawAddress
{
    internal const int MaxBytes = 28; // sizeof(struct sockaddr_in6)

    internal const int IPv4Bytes = 16;

    private byte _first;

    /// <summary>The number of bytes in use; 0 while no address was written.</summary>
    internal readonly uint Bytes => Family switch
    {
        Libc.AddressFamilyIPv4 => IPv4Bytes,
        Libc.AddressFamilyIPv6 => MaxBytes,
        _ => 0,
    };

    internal readonly int Family => MemoryMarshal.Read<ushort>(Span);

    [UnscopedRef]
    private readonly ReadOnlySpan<byte> Span => MemoryMarshal.CreateReadOnlySpan(ref Unsafe.AsRef(in _first), MaxBytes);

    internal static RawAddress From(IPEndPoint endPoint)
    {
        RawAddress address = default;
        Span<byte> bytes = address;
        BinaryPrimitives.WriteUInt16BigEndian(bytes[2..], (ushort)endPoint.Port);
        if (endPoint.AddressFamily == System.Net.Sockets.AddressFamily.InterNetwork)
        {
            MemoryMarshal.Write(bytes, (ushort)Libc.AddressFamilyIPv4);
            endPoint.Address.TryWriteBytes(bytes[4..], out _);
        }
        else
        {
            MemoryMarshal.Write(bytes, (ushort)Libc.AddressFamilyIPv6);
            endPoint.Address.TryWriteBytes(bytes[8..], out _);
            MemoryMarshal.Write(bytes[24..], (uint)endPoint.Address.ScopeId);
        }

        return address;
    }

    internal readonly IPEndPoint? ToEndPoint()
    {
        ReadOnlySpan<byte> bytes = Span;
        int port = BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]);
        return Family switch
        {
            Libc.AddressFamilyIPv4 => new IPEndPoint(new IPAddress(bytes.Slice(4, 4)), port),
            Libc.AddressFamilyIPv6 => new IPEndPoint(new IPAddress(bytes.Slice(8, 16), MemoryMarshal.Read<uint>(bytes[24..])), port),
            _ => null,
        };
    }
}
