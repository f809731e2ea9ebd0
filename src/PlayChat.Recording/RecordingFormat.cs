using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;

namespace PlayChat.Recording;

/// <summary>
/// The file of a recording: four letters and the version, then records. A record is its length (4 bytes), the CRC-32C of its content (4)
/// and the content. The first is the <see cref="RecordingHeader"/> as JSON; each further one is a turn of the room, and the last one the
/// end.
/// </summary>
internal static class RecordingFormat
{
    internal const ushort Version = 1;

    internal const int RecordHeaderBytes = 2 * sizeof(int);

    /// <summary>A length beyond this is damage.</summary>
    internal const int MaxRecordBytes = 256 << 20;

    /// <summary>The first byte of a record.</summary>
    internal const byte Header = 1;

    /// <inheritdoc cref="Header"/>
    internal const byte Turn = 2;

    /// <inheritdoc cref="Header"/>
    internal const byte End = 3;

    /// <summary>What the file begins with.</summary>
    internal static byte[] Preamble { get; } = [.. "PCR\u001a"u8, (byte)Version, (byte)(Version >> 8), 0, 0];

    internal static void WriteRecordHeader(Span<byte> destination, ReadOnlySpan<byte> content)
    {
        BinaryPrimitives.WriteInt32LittleEndian(destination, content.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(destination[sizeof(int)..], Checksum(content));
    }

    /// <summary>CRC-32C, for which processors have an instruction.</summary>
    internal static uint Checksum(ReadOnlySpan<byte> content)
    {
        uint crc = uint.MaxValue;
        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(content);
        foreach (ulong word in words)
        {
            crc = BitOperations.Crc32C(crc, BitConverter.IsLittleEndian ? word : BinaryPrimitives.ReverseEndianness(word));
        }

        foreach (byte rest in content[(words.Length * sizeof(ulong))..])
        {
            crc = BitOperations.Crc32C(crc, rest);
        }

        return ~crc;
    }
}
