using System.Buffers.Text;

namespace PlayChat.Benchmark.Fanout;

/// <summary>
/// Writes and verifies texts: sender (8 hexadecimal digits), number (8), planned time (16), a check word over all these and the
/// length (8), then letters that are the same in every text of the run. Only ASCII, so that it is valid UTF-8 of a known length.
/// Immutable and thread-safe; allocates nothing.
/// </summary>
internal sealed class ChatTextCodec
{
    private const int CheckOffset = 32;

    private static readonly StandardFormat s_eight = new('x', 8);
    private static readonly StandardFormat s_sixteen = new('x', 16);

    private readonly byte[] _letters = new byte[ChatLimits.MaxTextBytes];
    private readonly uint _key;

    /// <param name="seed">Seed of letters and check words, so that texts of another run are not accepted.</param>
    public ChatTextCodec(int seed)
    {
        var random = new Random(seed);
        _key = (uint)random.Next();
        for (int i = 0; i < _letters.Length; i++)
        {
            _letters[i] = (byte)('a' + random.Next(26));
        }
    }

    /// <summary>Fills the whole span, at least <see cref="ChatText.MinBytes"/> long.</summary>
    public void Write(Span<byte> destination, ChatText text)
    {
        Utf8Formatter.TryFormat((uint)text.Sender, destination, out _, s_eight);
        Utf8Formatter.TryFormat((uint)text.Number, destination[8..], out _, s_eight);
        Utf8Formatter.TryFormat((ulong)text.PlannedNanoseconds, destination[16..], out _, s_sixteen);
        Utf8Formatter.TryFormat(CheckWord(text, destination.Length), destination[CheckOffset..], out _, s_eight);
        _letters.AsSpan(ChatText.MinBytes, destination.Length - ChatText.MinBytes).CopyTo(destination[ChatText.MinBytes..]);
    }

    /// <summary>Reads and verifies every byte.</summary>
    /// <returns>False when any byte differs from what <see cref="Write"/> writes.</returns>
    public bool TryRead(ReadOnlySpan<byte> bytes, out ChatText text)
    {
        text = default;
        if (bytes.Length < ChatText.MinBytes
            || bytes.Length > _letters.Length
            || !TryReadHex(bytes[..8], out ulong sender)
            || !TryReadHex(bytes.Slice(8, 8), out ulong number)
            || !TryReadHex(bytes.Slice(16, 16), out ulong planned)
            || !TryReadHex(bytes.Slice(CheckOffset, 8), out ulong check))
        {
            return false;
        }

        text = new ChatText((int)sender, (int)number, (long)planned);
        return check == CheckWord(text, bytes.Length)
            && bytes[ChatText.MinBytes..].SequenceEqual(_letters.AsSpan(ChatText.MinBytes, bytes.Length - ChatText.MinBytes));
    }

    private static bool TryReadHex(ReadOnlySpan<byte> digits, out ulong value)
    {
        value = 0;
        for (int i = 0; i < digits.Length; i += sizeof(ulong))
        {
            if (!TryReadEight(BinaryPrimitives.ReadUInt64BigEndian(digits[i..]), out uint part))
            {
                return false;
            }

            value = (value << 32) | part;
        }

        return true;
    }

    // Parses eight digits at once, one per byte; a delivery has forty of them. The last line rejects everything but lower-case digits.
    private static bool TryReadEight(ulong digits, out uint value)
    {
        const ulong Ones = 0x0101_0101_0101_0101;
        ulong nibbles = ((digits & (0x0f * Ones)) + (9 * ((digits >> 6) & Ones))) & (0x0f * Ones);
        ulong letters = ((nibbles + (6 * Ones)) >> 4) & Ones; // 1 where it is over 9
        ulong packed = (nibbles | (nibbles >> 4)) & 0x00ff_00ff_00ff_00ff;
        packed = (packed | (packed >> 8)) & 0x0000_ffff_0000_ffff;
        value = (uint)(packed | (packed >> 16));
        return digits == nibbles + ('0' * Ones) + (letters * ('a' - '0' - 10));
    }

    // Multiplications by odd constants and shifts (the steps of splitmix64): any changed bit changes the word.
    private uint CheckWord(ChatText text, int length)
    {
        ulong word = ((ulong)(uint)text.Sender << 32 | (uint)text.Number) + _key;
        word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
        word = (word ^ (word >> 27) ^ (ulong)text.PlannedNanoseconds) * 0x94d049bb133111eb;
        word = (word ^ (word >> 31) ^ (uint)length) * 0xbf58476d1ce4e5b9;
        return (uint)(word >> 32);
    }
}

/// <summary>The fields at the start of every text of the load.</summary>
/// <param name="Number">The sender's own number of the message, from 0.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct ChatText(int Sender, int Number, long PlannedNanoseconds)
{
    /// <summary>The size of the fields: no text of the load is shorter.</summary>
    public const int MinBytes = 40;
}
