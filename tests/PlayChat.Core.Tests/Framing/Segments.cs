using System.Buffers;

namespace PlayChat.Core.Tests.Framing;

/// <summary>Cuts bytes into sequences of several segments, each in an array of its own.</summary>
internal static class Segments
{
    /// <summary>Cuts at the given offsets, which rise; equal ones make an empty segment.</summary>
    public static ReadOnlySequence<byte> Cut(ReadOnlyMemory<byte> bytes, params int[] cuts)
    {
        Segment first = new(bytes[..(cuts.Length > 0 ? cuts[0] : bytes.Length)].ToArray(), 0);
        Segment last = first;
        for (int i = 0; i < cuts.Length; i++)
        {
            int end = i + 1 < cuts.Length ? cuts[i + 1] : bytes.Length;
            last = last.Append(bytes[cuts[i]..end].ToArray());
        }

        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    /// <summary>Every byte in a segment of its own.</summary>
    public static ReadOnlySequence<byte> CutEverywhere(ReadOnlyMemory<byte> bytes) =>
        Cut(bytes, Enumerable.Range(1, Math.Max(0, bytes.Length - 1)).ToArray());

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
