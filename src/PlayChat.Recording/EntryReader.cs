namespace PlayChat.Recording;

/// <summary>Reads what <see cref="EntryWriter"/> has written.</summary>
internal sealed class EntryReader
{
    private readonly long[] _last = new long[EntryWriter.MaxKinds * EntryWriter.MaxNumbers];
    private ReadOnlyMemory<byte> _rest;

    /// <summary>The kind of the next entry of the record.</summary>
    internal EntryKind Next => _rest.IsEmpty ? EntryKind.None : (EntryKind)_rest.Span[0];

    /// <summary>Begins a record.</summary>
    internal void Begin(ReadOnlyMemory<byte> record) => _rest = record;

    /// <exception cref="InvalidDataException">The entry is longer than its record, or of an unknown kind.</exception>
    internal Entry Read()
    {
        var kind = (EntryKind)Take(1).Span[0];
        if (!Enum.IsDefined(kind))
        {
            throw new InvalidDataException(
                $"The recording has an entry {(byte)kind}, which this version does not know. Replay it with a newer version.");
        }

        Span<long> last = _last.AsSpan((int)kind * EntryWriter.MaxNumbers, EntryWriter.MaxNumbers);
        byte marks = Take(1).Span[0];
        for (int i = 0; i < last.Length; i++)
        {
            if ((marks & (1 << i)) != 0)
            {
                ulong difference = ReadNumber();
                last[i] = unchecked(last[i] + ((long)(difference >> 1) ^ -(long)(difference & 1)));
            }
        }

        return new Entry(kind, last.ToArray(), marks >> EntryWriter.MaxNumbers == 0 ? default : Take(ReadNumber()));
    }

    private ulong ReadNumber()
    {
        ulong number = 0;
        for (int i = 0; i < EntryWriter.MaxNumberBytes; i++)
        {
            byte part = Take(1).Span[0];
            number |= (ulong)(part & 0x7F) << (7 * i);
            if (part < 0x80)
            {
                break;
            }
        }

        return number;
    }

    private ReadOnlyMemory<byte> Take(ulong count)
    {
        if (count > (ulong)_rest.Length)
        {
            throw new InvalidDataException("The recording is damaged: an entry is longer than its turn.");
        }

        ReadOnlyMemory<byte> taken = _rest[..(int)count];
        _rest = _rest[(int)count..];
        return taken;
    }
}
