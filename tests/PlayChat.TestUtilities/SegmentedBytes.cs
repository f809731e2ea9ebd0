using System.Buffers;

namespace PlayChat.TestUtilities;

/// <summary>Sequences of several segments, as the receive buffer makes them when a message crosses a seam.</summary>
public static class SegmentedBytes
{
    /// <summary>The bytes in pieces of <paramref name="pieceBytes"/>, the last one as long as what is left.</summary>
    public static ReadOnlySequence<byte> Cut(ReadOnlyMemory<byte> bytes, int pieceBytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(pieceBytes);
        var first = new Segment(bytes[..Math.Min(pieceBytes, bytes.Length)], runningIndex: 0);
        Segment last = first;
        for (int start = pieceBytes; start < bytes.Length; start += pieceBytes)
        {
            last = last.Append(bytes.Slice(start, Math.Min(pieceBytes, bytes.Length - start)));
        }

        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    /// <summary>One segment for each of <paramref name="pieces"/>, empty ones included.</summary>
    public static ReadOnlySequence<byte> Of(IEnumerable<ReadOnlyMemory<byte>> pieces)
    {
        ArgumentNullException.ThrowIfNull(pieces);
        Segment? first = null;
        Segment? last = null;
        foreach (ReadOnlyMemory<byte> piece in pieces)
        {
            last = last is null ? first = new Segment(piece, runningIndex: 0) : last.Append(piece);
        }

        return first is null ? ReadOnlySequence<byte>.Empty : new ReadOnlySequence<byte>(first, 0, last!, last!.Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> memory, long runningIndex)
        {
            Memory = memory;
            RunningIndex = runningIndex;
        }

        public Segment Append(ReadOnlyMemory<byte> memory)
        {
            var next = new Segment(memory, RunningIndex + Memory.Length);
            Next = next;
            return next;
        }
    }
}
