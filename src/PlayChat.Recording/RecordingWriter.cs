using System.Buffers.Binary;
using System.IO.Pipelines;

namespace PlayChat.Recording;

/// <summary>Writes a recording to its file, on the thread pool.</summary>
/// <remarks>Only the room's turn adds, flushes and completes; the properties are thread-safe.</remarks>
internal sealed class RecordingWriter
{
    private const int MaxWaitingBytes = 4 << 20;

    private const int FlushedBytes = 64 << 10;

    // A write for each turn would cost more than the recording. A crash of the process loses so much.
    private const long WaitTicks = TimeSpan.TicksPerSecond / 4;

    private readonly Pipe _pipe = new(new PipeOptions(
        pauseWriterThreshold: MaxWaitingBytes, minimumSegmentSize: FlushedBytes, useSynchronizationContext: false));

    private volatile Exception? _fault;
    private long _bytes;
    private long _flushedAt = -WaitTicks; // so that the file begins with the first turn

    internal RecordingWriter(string path, Func<string, Stream> open)
    {
        Path = path;
        _pipe.Writer.Write(RecordingFormat.Preamble);
        Opened = Task.Run(() => open(path));
        Completion = RunAsync();
    }

    internal string Path { get; }

    /// <summary>Completes when the file is open; faults if opening it fails.</summary>
    internal Task<Stream> Opened { get; }

    /// <summary>Completes when everything is written, or writing has failed. Never faults.</summary>
    internal Task Completion { get; }

    internal Exception? Fault => _fault;

    /// <summary>The bytes in the file.</summary>
    internal long Bytes => Interlocked.Read(ref _bytes);

    /// <summary>The length of the file when everything is written.</summary>
    internal long AddedBytes { get; private set; } = RecordingFormat.Preamble.Length;

    /// <summary>Adds a record.</summary>
    internal void Add(ReadOnlySpan<byte> content)
    {
        Span<byte> record = _pipe.Writer.GetSpan(EntryWriter.MaxNumberBytes + sizeof(uint) + content.Length);
        int count = EntryWriter.WriteNumber(record, (ulong)content.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(record[count..], RecordingFormat.Checksum(content));
        count += sizeof(uint);
        content.CopyTo(record[count..]);
        _pipe.Writer.Advance(count + content.Length);
        AddedBytes += count + content.Length;
    }

    /// <summary>Gives the file what there is, if that is much or enough time has passed.</summary>
    /// <param name="now">The time, in units of 100 ns.</param>
    /// <returns><see langword="false"/> if too much waits or nothing is written any more: call only <see cref="Complete"/> then.</returns>
    internal bool TryFlush(long now)
    {
        if (_fault is not null || (now - _flushedAt < WaitTicks && _pipe.Writer.UnflushedBytes < FlushedBytes))
        {
            return _fault is null;
        }

        _flushedAt = now;
        return _pipe.Writer.FlushAsync().IsCompleted && !Completion.IsCompleted;
    }

    /// <summary>Nothing follows. Only in the room's turn.</summary>
    internal void Complete() => _pipe.Writer.Complete();

    /// <summary>Closes the file with what was flushed. Any thread may call it, while the room adds records.</summary>
    internal void Abandon() => _pipe.Reader.CancelPendingRead();

    private async Task RunAsync()
    {
        try
        {
            Stream stream = await Opened.ConfigureAwait(false);
            await using (stream.ConfigureAwait(false))
            {
                for (bool isComplete = false; !isComplete;)
                {
                    ReadResult read = await _pipe.Reader.ReadAsync().ConfigureAwait(false);
                    foreach (ReadOnlyMemory<byte> part in read.Buffer)
                    {
                        await stream.WriteAsync(part).ConfigureAwait(false);
                        Interlocked.Add(ref _bytes, part.Length);
                    }

                    _pipe.Reader.AdvanceTo(read.Buffer.End);
                    isComplete = read.IsCompleted || read.IsCanceled;
                }

                await stream.FlushAsync().ConfigureAwait(false);
            }
        }
        catch (Exception e)
        {
            // Mostly of the disk. The room must not notice it; the recorder sees it at the end of the next turn.
            _fault = e;
        }

        await _pipe.Reader.CompleteAsync().ConfigureAwait(false);
    }
}
