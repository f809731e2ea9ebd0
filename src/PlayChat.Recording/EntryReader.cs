using System.Buffers.Binary;

namespace PlayChat.Recording;

/// <summary>Reads what <see cref="EntryWriter"/> has written. Its methods throw <see cref="InvalidDataException"/> at the end of the
/// content.</summary>
/// <param name="bytes">The content of a record.</param>
internal sealed class EntryReader(ReadOnlyMemory<byte> bytes)
{
    private int _next;

    /// <summary>The kind of the next entry, which stays the next one.</summary>
    internal EntryKind Next => _next < bytes.Length ? (EntryKind)bytes.Span[_next] : EntryKind.None;

    internal EntryKind ReadKind() => (EntryKind)ReadByte();

    internal byte ReadByte() => Take(1).Span[0];

    internal bool ReadBoolean() => ReadByte() != 0;

    internal uint ReadUInt32() => BinaryPrimitives.ReadUInt32LittleEndian(Take(sizeof(uint)).Span);

    internal long ReadNumber()
    {
        ulong value = 0;
        for (int shift = 0; shift < 70; shift += 7)
        {
            byte part = ReadByte();
            value |= (ulong)(part & 0x7F) << shift;
            if (part < 0x80)
            {
                return (long)value;
            }
        }

        throw Damaged();
    }

    internal FrameHeader ReadHeader() => new((ushort)ReadNumber(), (ushort)ReadNumber(), (ushort)ReadNumber());

    internal ReadOnlyMemory<byte> ReadBytes() => Take(ReadNumber());

    internal string ReadText() => Encoding.UTF8.GetString(ReadBytes().Span);

    private static InvalidDataException Damaged() => new("The recording is damaged: an entry is longer than its turn.");

    private ReadOnlyMemory<byte> Take(long count)
    {
        if (count < 0 || count > bytes.Length - _next)
        {
            throw Damaged();
        }

        _next += (int)count;
        return bytes.Slice(_next - (int)count, (int)count);
    }
}
