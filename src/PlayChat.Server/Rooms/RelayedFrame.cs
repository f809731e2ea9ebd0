using System.Buffers;
using System.Collections.Concurrent;
using PlayChat.Core.Framing;

namespace PlayChat.Server.Rooms;

/// <summary>A copy of a received frame on its way through a room's queue. Used again, so that passing on allocates nothing.</summary>
internal sealed class RelayedFrame
{
    // As many as a few full room queues; what is returned beyond that is left to the collector.
    private const int MaxPooled = 4096;

    private static readonly ConcurrentQueue<RelayedFrame> s_pool = new();

    private byte[] _bytes = [];
    private int _bodyBytes;

    private RelayedFrame()
    {
    }

    public FrameHeader Header { get; private set; }

    public ReadOnlySpan<byte> Body => _bytes.AsSpan(0, _bodyBytes);

    /// <summary>Copies a frame. Whoever gets it returns it, once.</summary>
    public static RelayedFrame Rent(FrameHeader header, in ReadOnlySequence<byte> body)
    {
        if (!s_pool.TryDequeue(out RelayedFrame? frame))
        {
            frame = new RelayedFrame();
        }

        frame.Header = header;
        frame._bodyBytes = (int)body.Length;
        frame._bytes = ArrayPool<byte>.Shared.Rent(frame._bodyBytes);
        body.CopyTo(frame._bytes);
        return frame;
    }

    public void Return()
    {
        ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = [];
        if (s_pool.Count < MaxPooled)
        {
            s_pool.Enqueue(this);
        }
    }
}
