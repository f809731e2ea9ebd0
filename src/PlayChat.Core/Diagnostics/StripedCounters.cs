using System.Numerics;

namespace PlayChat.Core.Diagnostics;

/// <summary>Many counters that many threads add to: each processor has its own copy, a reader adds the copies up.</summary>
/// <remarks>
/// Thread-safe, no lock. Adding costs what an interlocked add on a line in the processor's own cache costs. A thread that
/// moves between asking for its processor and adding makes the add slower, never wrong. A sum is exact once the adders
/// have finished; while they run, it lies between the values at its start and at its end.
/// </remarks>
internal sealed class StripedCounters
{
    // 16 longs = 128 bytes: two cache lines, since the prefetcher draws neighbours together (and one line on Apple's processors).
    private const int PaddingLongs = 16;

    private readonly long[] _values;
    private readonly int _stride;
    private readonly int _stripeMask;
    private readonly int _count;

    internal StripedCounters(int counters)
    {
        // A power of two, so that processor ids beyond the count (a container that sees a few of many) still map by a mask.
        int stripes = (int)BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount);
        _stripeMask = stripes - 1;
        // An array does not start on a cache line: a gap of one padding keeps neighbours apart wherever it starts.
        _stride = counters + PaddingLongs;
        _count = counters;
        _values = new long[PaddingLongs + (stripes * _stride)];
    }

    /// <summary>This processor's copy, for several at once. To be added to with <see cref="Interlocked"/> alone.</summary>
    internal Span<long> Own => _values.AsSpan(PaddingLongs + ((Thread.GetCurrentProcessorId() & _stripeMask) * _stride), _count);

    internal void Add(int counter, long value) => Interlocked.Add(ref Own[counter], value);

    internal long Read(int counter)
    {
        long sum = 0;
        for (int i = PaddingLongs + counter; i < _values.Length; i += _stride)
        {
            sum += Volatile.Read(ref _values[i]);
        }

        return sum;
    }
}
