using System.Buffers.Binary;
using System.Security.Cryptography;

namespace PlayChat.Storage.ChatLog;

/// <summary>A batch in the spill file: the length of its content (4 bytes, little-endian), the SHA-256 of it, the content.</summary>
internal static class ChatLogSpillEntry
{
    public const int HeadBytes = LengthBytes + SHA256.HashSizeInBytes;

    private const int LengthBytes = sizeof(int);

    public static byte[] Encode(IReadOnlyList<ChatRecord> records)
    {
        using var entry = new MemoryStream();
        entry.Position = HeadBytes;
        using var writer = new BinaryWriter(entry);
        writer.Write(records.Count);
        for (int i = 0; i < records.Count; i++)
        {
            ChatRecord record = records[i];
            writer.Write(record.RoomId);
            writer.Write(record.Sequence);
            writer.Write(record.PlayerId);
            writer.Write(record.PlayerName);
            writer.Write(record.Text);
            writer.Write(record.SentAt.UtcTicks);
            writer.Write(record.RoomName is not null);
            if (record.RoomName is not null)
            {
                writer.Write(record.RoomName);
            }
        }

        writer.Flush();
        byte[] bytes = entry.ToArray();
        BinaryPrimitives.WriteInt32LittleEndian(bytes, bytes.Length - HeadBytes);
        SHA256.HashData(bytes.AsSpan(HeadBytes), bytes.AsSpan(LengthBytes));
        return bytes;
    }

    public static List<ChatRecord> Decode(byte[] content)
    {
        using var reader = new BinaryReader(new MemoryStream(content));
        int count = reader.ReadInt32();
        var records = new List<ChatRecord>(); // not of that size: what is damaged may say anything
        while (records.Count < count)
        {
            records.Add(new ChatRecord(
                reader.ReadInt64(),
                reader.ReadInt64(),
                reader.ReadInt64(),
                reader.ReadString(),
                reader.ReadString(),
                new DateTimeOffset(reader.ReadInt64(), TimeSpan.Zero),
                reader.ReadBoolean() ? reader.ReadString() : null));
        }

        return records;
    }

    /// <summary>Whether it is what was written.</summary>
    public static bool IsWhole(ReadOnlySpan<byte> entry) =>
        SHA256.HashData(entry[HeadBytes..]).AsSpan().SequenceEqual(entry[LengthBytes..HeadBytes]);

    public static int CountOf(ReadOnlySpan<byte> entry) => BinaryPrimitives.ReadInt32LittleEndian(entry[HeadBytes..]);

    /// <summary>Whether content that is shorter than it should be was cut short: its records then end where it does. Where the length is wrong they end before.</summary>
    public static bool IsCutShort(byte[] content)
    {
        try
        {
            Decode(content);
            return false;
        }
        catch (EndOfStreamException)
        {
            return true;
        }
        catch (Exception e) when (e is IOException or FormatException or ArgumentException)
        {
            return false; // no records at all
        }
    }
}
