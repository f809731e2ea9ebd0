using System.Buffers.Binary;

namespace PlayChat.Recording;

/// <summary>Writes the content of one record after the other into one array.</summary>
/// <remarks>The recorder's alone, in the room's turn. The array grows to the largest record and stays.</remarks>
internal sealed class EntryWriter
{
    private byte[] _bytes = new byte[1024];
    private int _count;

    internal int Count => _count;

    /// <summary>What was written since <see cref="Clear"/>; valid until the next write.</summary>
    internal ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _count);

    internal void Clear() => _count = 0;

    internal void Write(byte value)
    {
        Reserve(1);
        _bytes[_count++] = value;
    }

    internal void Write(EntryKind kind) => Write((byte)kind);

    internal void Write(uint value)
    {
        Reserve(sizeof(uint));
        BinaryPrimitives.WriteUInt32LittleEndian(_bytes.AsSpan(_count), value);
        _count += sizeof(uint);
    }

    /// <summary>Writes a number in as many bytes as it needs, seven bits each.</summary>
    internal void WriteNumber(long value)
    {
        Reserve(10);
        ulong rest = (ulong)value;
        for (; rest >= 0x80; rest >>= 7)
        {
            _bytes[_count++] = (byte)(rest | 0x80);
        }

        _bytes[_count++] = (byte)rest;
    }

    internal void Write(FrameHeader header)
    {
        WriteNumber(header.PacketId);
        WriteNumber(header.RequestId);
        WriteNumber(header.SenderId);
    }

    internal void Write(ReadOnlySpan<byte> bytes)
    {
        WriteNumber(bytes.Length);
        Reserve(bytes.Length);
        bytes.CopyTo(_bytes.AsSpan(_count));
        _count += bytes.Length;
    }

    internal void Write(string text)
    {
        int bytes = Encoding.UTF8.GetByteCount(text);
        WriteNumber(bytes);
        Reserve(bytes);
        _count += Encoding.UTF8.GetBytes(text, _bytes.AsSpan(_count));
    }

    private void Reserve(int bytes)
    {
        if (_bytes.Length - _count < bytes)
        {
            Array.Resize(ref _bytes, Math.Max(_bytes.Length * 2, _count + bytes));
        }
    }
}
