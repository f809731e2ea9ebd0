using System.Buffers.Binary;
using System.Text.Json;

namespace PlayChat.Recording;

/// <summary>Reads the file of a recording.</summary>
internal sealed class RecordingFile : IDisposable
{
    private readonly BufferedStream _file;

    /// <param name="file">The file; owned from now on.</param>
    /// <exception cref="InvalidDataException">It is no recording, a newer version wrote it, or its beginning is damaged.</exception>
    internal RecordingFile(Stream file)
    {
        _file = new BufferedStream(file, 1 << 20);
        Span<byte> preamble = stackalloc byte[RecordingFormat.Preamble.Length];
        if (_file.ReadAtLeast(preamble, preamble.Length, throwOnEndOfStream: false) < preamble.Length
            || !preamble[..sizeof(int)].SequenceEqual(RecordingFormat.Preamble.AsSpan(0, sizeof(int))))
        {
            throw new InvalidDataException("The file is no recording of a room.");
        }

        int version = BinaryPrimitives.ReadUInt16LittleEndian(preamble[sizeof(int)..]);
        if (version != RecordingFormat.Version)
        {
            throw new InvalidDataException(
                $"The recording has format {version}; this version reads {RecordingFormat.Version}. Replay it with the version of "
                    + "PlayChat.Recording that wrote it.");
        }

        if (Read() is not [RecordingFormat.Header, ..] header)
        {
            throw new InvalidDataException("The recording is damaged: its header is not readable.");
        }

        try
        {
            Header = JsonSerializer.Deserialize(
                new EntryReader(header.AsMemory(1)).ReadBytes().Span, RecordingJson.Default.RecordingHeader)!;
        }
        catch (JsonException e)
        {
            throw new InvalidDataException($"The recording is damaged: its header is not readable. {e.Message}", e);
        }
    }

    internal RecordingHeader Header { get; }

    /// <summary>Why the recording ended; unknown for a torn file, and until <see cref="ReadTurn"/> has read the end.</summary>
    internal RecordingEnd End { get; private set; }

    public void Dispose() => _file.Dispose();

    /// <summary>Reads the next turn.</summary>
    /// <returns><see langword="null"/> at the end, or where the file is torn or damaged.</returns>
    internal EntryReader? ReadTurn()
    {
        switch (Read())
        {
            case [RecordingFormat.Turn, ..] turn:
                return new EntryReader(turn.AsMemory(1));
            case [RecordingFormat.End, byte end]:
                End = (RecordingEnd)end;
                return null;
            default:
                return null;
        }
    }

    /// <returns><see langword="null"/> where no whole record with a right checksum follows.</returns>
    private byte[]? Read()
    {
        Span<byte> header = stackalloc byte[RecordingFormat.RecordHeaderBytes];
        if (_file.ReadAtLeast(header, header.Length, throwOnEndOfStream: false) < header.Length)
        {
            return null;
        }

        int length = BinaryPrimitives.ReadInt32LittleEndian(header);
        if (length is < 1 or > RecordingFormat.MaxRecordBytes || length > _file.Length - _file.Position)
        {
            return null;
        }

        byte[] content = new byte[length];
        _file.ReadExactly(content);
        return RecordingFormat.Checksum(content) == BinaryPrimitives.ReadUInt32LittleEndian(header[sizeof(int)..]) ? content : null;
    }
}
