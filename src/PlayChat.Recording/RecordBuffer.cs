namespace PlayChat.Recording;

/// <summary>Collects whole records for the writer, which takes them in large parts.</summary>
/// <remarks>Invariant: <c>_chunk</c> is rented, and its first <c>_count</c> bytes are not the writer's yet. The recorder's alone, in the
/// room's turn.</remarks>
internal sealed class RecordBuffer
{
    // A write for each turn would cost more than the recording. A crash of the process loses so much.
    private const long WaitTicks = TimeSpan.TicksPerSecond / 4;

    private readonly RecordingWriter _writer;
    private byte[] _chunk = ArrayPool<byte>.Shared.Rent(RecordingWriter.ChunkBytes);
    private int _count;
    private long _handedOver;

    internal RecordBuffer(RecordingWriter writer)
    {
        _writer = writer;
        Append(RecordingFormat.Preamble);
    }

    /// <summary>The length of the file when everything is written.</summary>
    internal long Bytes { get; private set; }

    /// <summary>Whether the writer has taken everything so far.</summary>
    internal bool IsTaken { get; private set; } = true;

    /// <summary>Adds a record.</summary>
    internal void Add(ReadOnlySpan<byte> content)
    {
        Span<byte> header = stackalloc byte[RecordingFormat.RecordHeaderBytes];
        RecordingFormat.WriteRecordHeader(header, content);
        Append(header);
        Append(content);
    }

    /// <summary>Gives the writer what there is, if it has nothing to do and enough time has passed since the last part.</summary>
    /// <param name="now">The time, in units of 100 ns.</param>
    internal void HandOverIfDue(long now)
    {
        if (now - _handedOver >= WaitTicks && _writer.IsIdle)
        {
            _handedOver = now;
            HandOver();
        }
    }

    /// <summary>Gives the writer the rest. Call it once, as the last method.</summary>
    internal void Complete()
    {
        HandOver();
        ArrayPool<byte>.Shared.Return(_chunk);
        _writer.Complete();
    }

    private void Append(ReadOnlySpan<byte> bytes)
    {
        Bytes += bytes.Length;
        while (!bytes.IsEmpty)
        {
            if (_count == _chunk.Length)
            {
                HandOver();
            }

            int part = Math.Min(bytes.Length, _chunk.Length - _count);
            bytes[..part].CopyTo(_chunk.AsSpan(_count));
            _count += part;
            bytes = bytes[part..];
        }
    }

    /// <summary>What the writer does not take is dropped: the recording then ends.</summary>
    private void HandOver()
    {
        if (_count > 0 && IsTaken)
        {
            IsTaken = _writer.TryWrite(new ArraySegment<byte>(_chunk, 0, _count));
            _chunk = IsTaken ? ArrayPool<byte>.Shared.Rent(RecordingWriter.ChunkBytes) : _chunk;
        }

        _count = 0;
    }
}
