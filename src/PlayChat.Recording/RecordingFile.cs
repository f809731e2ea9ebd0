namespace PlayChat.Recording;

/// <summary>Reads the file of a recording: its header, and one turn after the other.</summary>
internal sealed class RecordingFile : IDisposable
{
    private readonly BinaryReader _file;
    private readonly long[] _last = new long[EntryWriter.MaxKinds * EntryWriter.MaxNumbers];
    private BinaryReader _record = new(Stream.Null);

    /// <param name="file">The file; owned from now on.</param>
    /// <exception cref="InvalidDataException">It is no recording, a newer version wrote it, or its beginning is damaged.</exception>
    internal RecordingFile(Stream file)
    {
        _file = new BinaryReader(new BufferedStream(file, 1 << 20));
        byte[] preamble = _file.ReadBytes(RecordingFormat.Preamble.Length);
        if (preamble.Length < RecordingFormat.Preamble.Length
            || !preamble.AsSpan(0, sizeof(int)).SequenceEqual(RecordingFormat.Preamble.AsSpan(0, sizeof(int))))
        {
            throw new InvalidDataException("The file is no recording of a room.");
        }

        int version = preamble[sizeof(int)];
        if (version != RecordingFormat.Version)
        {
            throw new InvalidDataException(
                $"The recording has format {version}; this version reads {RecordingFormat.Version}. Replay it with the version of "
                    + "PlayChat.Recording that wrote it.");
        }

        try
        {
            Header = ReadRecord() == EntryKind.Header
                ? JsonSerializer.Deserialize(Read().Content, RecordingHeader.Json.Default.RecordingHeader)!
                : throw new JsonException();
        }
        catch (JsonException e)
        {
            throw new InvalidDataException($"The recording is damaged: its header is not readable. {e.Message}", e);
        }
    }

    internal RecordingHeader Header { get; }

    /// <summary>Why the recording ended; unknown for a torn file, and until <see cref="ReadTurn"/> has read the end.</summary>
    internal RecordingEnd End { get; private set; }

    /// <summary>The kind of the next entry of the turn.</summary>
    internal EntryKind Next { get; private set; }

    public void Dispose() => _file.Dispose();

    /// <summary>Opens a file whose recording may still run.</summary>
    internal static FileStream Open(string path) => new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);

    /// <summary>Begins the next turn.</summary>
    /// <returns>Its timestamp; <see langword="null"/> at the end, or where the file is torn or damaged.</returns>
    internal long? ReadTurn()
    {
        EntryKind kind = ReadRecord();
        long number = kind is EntryKind.Turn or EntryKind.End ? Read().Numbers[0] : 0;
        End = kind == EntryKind.End ? (RecordingEnd)number : RecordingEnd.Unknown;
        return kind == EntryKind.Turn ? number : null;
    }

    /// <summary>Reads the next entry of the turn.</summary>
    /// <exception cref="InvalidDataException">There is none, it is not whole, or this version does not know it.</exception>
    internal Entry Read()
    {
        EntryKind kind = Next;
        if (kind == EntryKind.None || !Enum.IsDefined(kind))
        {
            throw new InvalidDataException(
                $"The recording has an entry {(byte)kind}, which this version does not know. Replay it with a newer version.");
        }

        Span<long> last = _last.AsSpan((int)kind * EntryWriter.MaxNumbers, EntryWriter.MaxNumbers);
        byte[] content;
        try
        {
            byte marks = _record.ReadByte();
            for (int i = 0; i < last.Length; i++)
            {
                if ((marks & (1 << i)) != 0)
                {
                    long difference = _record.Read7BitEncodedInt64();
                    last[i] = unchecked(last[i] + ((long)((ulong)difference >> 1) ^ -(difference & 1)));
                }
            }

            int length = marks >> EntryWriter.MaxNumbers == 0 ? 0 : _record.Read7BitEncodedInt();
            content = _record.ReadBytes(Math.Clamp(length, 0, (int)_record.BaseStream.Length));
        }
        catch (Exception e) when (e is EndOfStreamException or FormatException)
        {
            throw new InvalidDataException($"The recording is damaged: an entry {kind} is not whole.", e);
        }

        Next = ReadKind();
        return new Entry(kind, last.ToArray(), content);
    }

    /// <returns>The first entry; none where no whole record with a right checksum follows.</returns>
    private EntryKind ReadRecord()
    {
        byte[] content = [];
        try
        {
            int length = _file.Read7BitEncodedInt();
            uint checksum = _file.ReadUInt32();
            if (length > 0 && length <= _file.BaseStream.Length - _file.BaseStream.Position)
            {
                content = _file.ReadBytes(length);
                content = RecordingFormat.Checksum(content) == checksum ? content : [];
            }
        }
        catch (Exception e) when (e is EndOfStreamException or FormatException)
        {
            // A torn file ends inside of the record's length or checksum, and a damaged length may be too long.
        }

        _record = new BinaryReader(new MemoryStream(content));
        return Next = ReadKind();
    }

    private EntryKind ReadKind() => (EntryKind)Math.Max(_record.BaseStream.ReadByte(), (int)EntryKind.None); // -1 at the end
}
