namespace PlayChat.Recording;

/// <summary>Writes the entries of one record after the other. An entry is its kind (1 byte); a byte whose bit <c>i</c> says that number
/// <c>i</c> is not that of the last entry of this kind, and whose bit 7 says that there is content; the differences of these numbers; and
/// the content behind its length.</summary>
/// <remarks>The recorder's alone, in the room's turn.</remarks>
internal sealed class EntryWriter
{
    internal const int MaxKinds = 32;

    internal const int MaxNumbers = 7;

    internal const int MaxNumberBytes = 10; // seven bits each

    private readonly ArrayBufferWriter<byte> _bytes = new(1024);
    private readonly long[] _last = new long[MaxKinds * MaxNumbers];

    /// <summary>What was written since <see cref="Clear"/>; valid until the next write.</summary>
    internal ReadOnlySpan<byte> Written => _bytes.WrittenSpan;

    internal void Clear() => _bytes.ResetWrittenCount();

    internal void Write(EntryKind kind, ReadOnlySpan<long> numbers, ReadOnlySpan<byte> content = default)
    {
        Span<long> last = _last.AsSpan((int)kind * MaxNumbers, numbers.Length);
        Span<byte> entry = _bytes.GetSpan(2 + ((numbers.Length + 1) * MaxNumberBytes) + content.Length);
        int count = 2;
        int marks = 0;
        for (int i = 0; i < numbers.Length; i++)
        {
            long difference = unchecked(numbers[i] - last[i]);
            if (difference != 0)
            {
                marks |= 1 << i;
                count += WriteNumber(entry[count..], (ulong)((difference << 1) ^ (difference >> 63)));
                last[i] = numbers[i];
            }
        }

        if (!content.IsEmpty)
        {
            marks |= 1 << MaxNumbers;
            count += WriteNumber(entry[count..], (ulong)content.Length);
            content.CopyTo(entry[count..]);
            count += content.Length;
        }

        (entry[0], entry[1]) = ((byte)kind, (byte)marks);
        _bytes.Advance(count);
    }

    /// <returns>The length of the number.</returns>
    internal static int WriteNumber(Span<byte> to, ulong number)
    {
        int count = 0;
        for (; number >= 0x80; number >>= 7)
        {
            to[count++] = (byte)(number | 0x80);
        }

        to[count++] = (byte)number;
        return count;
    }
}
