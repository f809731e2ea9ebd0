using System.Threading.Channels;

namespace PlayChat.Recording;

/// <summary>Writes a recording to its file, on the thread pool.</summary>
/// <remarks>Invariant: an array in <c>_chunks</c> is rented, and the writer returns it. One thread at a time hands over; the properties are
/// thread-safe.</remarks>
internal sealed class RecordingWriter
{
    internal const int ChunkBytes = 64 * 1024;

    private const int MaxChunks = 64;

    private readonly Channel<ArraySegment<byte>> _chunks = Channel.CreateBounded<ArraySegment<byte>>(
        new BoundedChannelOptions(MaxChunks) { SingleReader = true, SingleWriter = true });

    private readonly TaskCompletionSource _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile Exception? _fault;
    private long _bytes;

    internal RecordingWriter(string path, Func<string, Stream> open)
    {
        Path = path;
        Completion = Task.Run(() => RunAsync(open));
    }

    internal string Path { get; }

    /// <summary>Completes when the file is open; faults if opening it fails.</summary>
    internal Task Opened => _opened.Task;

    /// <summary>Completes when everything is written, or writing has failed. Never faults.</summary>
    internal Task Completion { get; }

    /// <summary>Why writing has failed.</summary>
    internal Exception? Fault => _fault;

    /// <summary>The bytes in the file.</summary>
    internal long Bytes => Interlocked.Read(ref _bytes);

    /// <summary>Whether nothing waits.</summary>
    internal bool IsIdle => _chunks.Reader.Count == 0;

    /// <summary>Takes over a rented array.</summary>
    /// <returns><see langword="false"/> if too much waits; the caller keeps the array.</returns>
    internal bool TryWrite(ArraySegment<byte> chunk) => _chunks.Writer.TryWrite(chunk);

    /// <summary>Nothing follows.</summary>
    internal void Complete() => _chunks.Writer.TryComplete();

    private async Task RunAsync(Func<string, Stream> open)
    {
        try
        {
            Stream stream = open(Path);
            _opened.SetResult();
            await using (stream.ConfigureAwait(false))
            {
                await foreach (ArraySegment<byte> chunk in _chunks.Reader.ReadAllAsync().ConfigureAwait(false))
                {
                    await stream.WriteAsync(chunk).ConfigureAwait(false);
                    Interlocked.Add(ref _bytes, chunk.Count);
                    ArrayPool<byte>.Shared.Return(chunk.Array!);
                }

                await stream.FlushAsync().ConfigureAwait(false);
            }
        }
        catch (Exception e)
        {
            // Mostly of the disk. The room must not notice it; the recorder sees it at the end of the next turn.
            _fault = e;
            _opened.TrySetException(e);
            Complete();
            while (_chunks.Reader.TryRead(out ArraySegment<byte> chunk))
            {
                ArrayPool<byte>.Shared.Return(chunk.Array!);
            }
        }
    }
}
