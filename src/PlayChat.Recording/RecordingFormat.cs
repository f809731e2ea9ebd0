using System.Numerics;

namespace PlayChat.Recording;

/// <summary>The file of a recording: four letters and the version, then records. A record is its length (7 bits a byte), the CRC-32C of its
/// content (4 bytes, little-endian) and the content, which is entries.</summary>
internal static class RecordingFormat
{
    internal const byte Version = 1;

    /// <summary>What the file begins with.</summary>
    internal static byte[] Preamble { get; } = [.. "PCR\u001a"u8, Version, 0, 0, 0];

    /// <summary>CRC-32C, for which processors have an instruction.</summary>
    internal static uint Checksum(ReadOnlySpan<byte> content)
    {
        uint crc = uint.MaxValue;
        foreach (byte next in content)
        {
            crc = BitOperations.Crc32C(crc, next);
        }

        return ~crc;
    }
}
