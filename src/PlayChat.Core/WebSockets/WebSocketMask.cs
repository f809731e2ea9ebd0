using System.Numerics;
using System.Runtime.Intrinsics;

namespace PlayChat.Core.WebSockets;

/// <summary>Removes the mask of a client's frame (RFC 6455, section 5.3).</summary>
internal static class WebSocketMask
{
    /// <summary>Unmasks bytes and moves them to the front.</summary>
    /// <param name="source">The masked bytes.</param>
    /// <param name="destination">At least as long. It may overlap <paramref name="source"/> if it starts at or before it.</param>
    /// <param name="mask">The four bytes of the mask as they lie in memory, the first one for the first byte.</param>
    /// <returns>The mask for the byte behind the last one.</returns>
    internal static uint Apply(ReadOnlySpan<byte> source, Span<byte> destination, uint mask)
    {
        ref byte from = ref MemoryMarshal.GetReference(source);
        ref byte to = ref MemoryMarshal.GetReference(destination[..source.Length]);
        int length = source.Length;
        int i = 0;
        // Each step reads before it writes, and writes nothing at or behind what the next step reads, so the spans may overlap.
        if (Vector256.IsHardwareAccelerated && length >= Vector256<byte>.Count)
        {
            Vector256<byte> wide = Vector256.Create(mask).AsByte();
            for (; i <= length - Vector256<byte>.Count; i += Vector256<byte>.Count)
            {
                (Vector256.LoadUnsafe(ref from, (nuint)i) ^ wide).StoreUnsafe(ref to, (nuint)i);
            }
        }

        if (Vector128.IsHardwareAccelerated && length - i >= Vector128<byte>.Count)
        {
            Vector128<byte> wide = Vector128.Create(mask).AsByte();
            for (; i <= length - Vector128<byte>.Count; i += Vector128<byte>.Count)
            {
                (Vector128.LoadUnsafe(ref from, (nuint)i) ^ wide).StoreUnsafe(ref to, (nuint)i);
            }
        }

        for (; i <= length - sizeof(uint); i += sizeof(uint))
        {
            uint unmasked = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref from, i)) ^ mask;
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, i), unmasked);
        }

        // All steps above are multiples of four bytes, so the mask still starts with its first byte.
        ReadOnlySpan<byte> bytes = MemoryMarshal.AsBytes(new ReadOnlySpan<uint>(in mask));
        for (int k = 0; i < length; i++, k++)
        {
            Unsafe.Add(ref to, i) = (byte)(Unsafe.Add(ref from, i) ^ bytes[k]);
        }

        int bits = (length & 3) * 8;
        return BitConverter.IsLittleEndian ? BitOperations.RotateRight(mask, bits) : BitOperations.RotateLeft(mask, bits);
    }
}
