using System.Text.Json;

namespace PlayChat.Recording;

/// <summary>Reads the file of a recording.</summary>
internal sealed class RecordingFile : IDisposable
{
    private readonly BinaryReader _file;

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

        int version = BitConverter.ToUInt16(preamble, sizeof(int));
        if (version != RecordingFormat.Version)
        {
            throw new InvalidDataException(
                $"The recording has format {version}; this version reads {RecordingFormat.Version}. Replay it with the version of "
                    + "PlayChat.Recording that wrote it.");
        }

        try
        {
            Header = ReadRecord() == EntryKind.Header
                ? JsonSerializer.Deserialize(Entries.Read().Content.Span, RecordingHeader.Json.Default.RecordingHeader)!
                : throw new JsonException();
        }
        catch (JsonException e)
        {
            throw new InvalidDataException($"The recording is damaged: its header is not readable. {e.Message}", e);
        }
    }

    internal RecordingHeader Header { get; }

    /// <summary>The entries of the present turn.</summary>
    internal EntryReader Entries { get; } = new();

    /// <summary>Why the recording ended; unknown for a torn file, and until <see cref="ReadTurn"/> has read the end.</summary>
    internal RecordingEnd End { get; private set; }

    public void Dispose() => _file.Dispose();

    /// <summary>Reads the next turn.</summary>
    /// <returns>Its timestamp; <see langword="null"/> at the end, or where the file is torn or damaged.</returns>
    internal long? ReadTurn()
    {
        switch (ReadRecord())
        {
            case EntryKind.Turn:
                return Entries.Read().Numbers[0];
            case EntryKind.End:
                End = (RecordingEnd)Entries.Read().Numbers[0];
                return null;
            default:
                return null;
        }
    }

    /// <returns>Its first entry; none where no whole record with a right checksum follows.</returns>
    private EntryKind ReadRecord()
    {
        Entries.Begin(default);
        try
        {
            int length = _file.Read7BitEncodedInt();
            uint checksum = _file.ReadUInt32();
            if (length > 0 && length <= _file.BaseStream.Length - _file.BaseStream.Position)
            {
                byte[] content = _file.ReadBytes(length);
                Entries.Begin(RecordingFormat.Checksum(content) == checksum ? content : default);
            }
        }
        catch (Exception e) when (e is EndOfStreamException or FormatException)
        {
            // A torn file ends inside of the record's length or checksum, and a damaged length may be too long.
        }

        return Entries.Next;
    }
}
