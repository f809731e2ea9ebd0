using System.Buffers.Binary;
using System.Text;

#pragma warning disable CS1591 // called by generated code alone

namespace PlayChat.State;

/// <summary>Writes values into a buffer that it keeps and grows.</summary>
/// <remarks>
/// Invariant: with <see cref="FiltersViews"/>, what <see cref="View"/> does not show is never written; without a view, nothing that is
/// viewed.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class StateWriter
{
    private byte[] _buffer = new byte[256];
    private int _at;

    internal StateWriter()
    {
    }

    /// <summary>Whether quantized numbers are written with all digits, as for a server that continues the room.</summary>
    internal bool IsExact { get; set; }

    internal bool FiltersViews { get; set; }

    /// <summary>The view for which it writes; <see langword="null"/> for what all members see.</summary>
    internal StateView? View { get; set; }

    /// <summary>The revision from which a patch leads on.</summary>
    internal uint Base { get; set; }

    internal int Length => _at;

    internal ReadOnlySpan<byte> Written => _buffer.AsSpan(0, _at);

    /// <summary>Starts again, with so many bytes free at the front.</summary>
    internal void Reset(int room = 0) => _at = room;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteByte(byte value)
    {
        Reserve(1);
        _buffer[_at++] = value;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteUnsigned(ulong value)
    {
        if (value < 0x80 && _at < _buffer.Length)
        {
            _buffer[_at++] = (byte)value;
        }
        else
        {
            WriteLong(value);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteSigned(long value) => WriteUnsigned((ulong)((value << 1) ^ (value >> 63)));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFloat(float value)
    {
        Reserve(sizeof(float));
        BinaryPrimitives.WriteInt32LittleEndian(_buffer.AsSpan(_at), BitConverter.SingleToInt32Bits(value));
        _at += sizeof(float);
    }

    public void WriteDouble(double value)
    {
        Reserve(sizeof(double));
        BinaryPrimitives.WriteInt64LittleEndian(_buffer.AsSpan(_at), BitConverter.DoubleToInt64Bits(value));
        _at += sizeof(double);
    }

    public void WriteText(string? value)
    {
        int bytes = value is null ? -1 : Encoding.UTF8.GetByteCount(value);
        WriteUnsigned((uint)(bytes + 1));
        Reserve(bytes);
        _at += Encoding.UTF8.GetBytes(value, _buffer.AsSpan(_at));
    }

    /// <summary>Writes a quantized number: the exact value, its steps, or those less the ones at the base.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(StateForm form, double value, long steps, long change)
    {
        if (IsExact)
        {
            WriteDouble(value);
        }
        else
        {
            WriteSigned(form == StateForm.Relative ? change : steps);
        }
    }

    /// <inheritdoc cref="WriteFixed"/>
    public void WriteRange(StateForm form, double value, long steps, long change)
    {
        if (IsExact || form == StateForm.Relative)
        {
            WriteFixed(form, value, steps, change);
        }
        else
        {
            WriteUnsigned((ulong)steps);
        }
    }

    /// <summary>Writes an object with all it has, or that there is none.</summary>
    public void WriteObject(SyncObject? value)
    {
        WriteUnsigned((uint)(value?.Number ?? 0));
        if (value is not null)
        {
            WriteFull(value);
        }
    }

    public void WriteCollection(StateForm form, SyncCollection value) => value.Write(this, form);

    /// <summary>Writes all fields of an object that are not at their default.</summary>
    internal void WriteFull(SyncObject value)
    {
        ulong slots = value.FindSet();
        if (FiltersViews)
        {
            slots &= View?.OnWritten(value) == true ? ~0UL : ~value.SyncType.ViewedFields;
            slots &= View is null ? ~value.SyncType.ViewedMaps : ~0UL;
        }

        WriteUnsigned(slots);
        value.WriteFields(this, slots, StateForm.Full);
    }

    internal void WriteBytes(ReadOnlySpan<byte> bytes)
    {
        Reserve(bytes.Length);
        bytes.CopyTo(_buffer.AsSpan(_at));
        _at += bytes.Length;
    }

    /// <summary>Writes bytes that end where the written ones begin.</summary>
    internal ReadOnlySpan<byte> Prepend(scoped ReadOnlySpan<byte> header, int room)
    {
        header.CopyTo(_buffer.AsSpan(room - header.Length));
        return Written[(room - header.Length)..];
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteLong(ulong value)
    {
        Reserve(10);
        for (; value >= 0x80; value >>= 7)
        {
            _buffer[_at++] = (byte)(value | 0x80);
        }

        _buffer[_at++] = (byte)value;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Reserve(int bytes)
    {
        if (_buffer.Length - _at < bytes)
        {
            Array.Resize(ref _buffer, Math.Max(2 * _buffer.Length, _at + bytes));
        }
    }
}
