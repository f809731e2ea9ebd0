namespace PlayChat.Core.Buffers;

/// <summary>Rents and returns, counted on the core where they happen; the peak is exact to one stripe's changes.</summary>
internal sealed class PoolCounters
{
    private static readonly int s_stripes = Environment.ProcessorCount;

    private readonly Cell[] _cells = new Cell[s_stripes];
    private long _peak;

    internal void CountRent(bool reused)
    {
        ref Cell cell = ref _cells[Thread.GetCurrentProcessorId() % s_stripes];
        Interlocked.Increment(ref cell.Rents);
        if (reused)
        {
            Interlocked.Increment(ref cell.Reuses);
        }
        else
        {
            // New memory is the only way to a new peak of memory in use, so only then is it worth adding up the stripes.
            ObservePeak();
        }
    }

    internal void CountReturn() => Interlocked.Increment(ref _cells[Thread.GetCurrentProcessorId() % s_stripes].Returns);

    internal PoolStatistics Read()
    {
        (long rents, long returns, long reuses) = Sum();
        return new PoolStatistics(rents - returns, Math.Max(Volatile.Read(ref _peak), rents - returns), rents, returns, reuses);
    }

    private void ObservePeak()
    {
        (long rents, long returns, _) = Sum();
        InterlockedMaximum.Raise(ref _peak, rents - returns);
    }

    private (long Rents, long Returns, long Reuses) Sum()
    {
        long rents = 0;
        long returns = 0;
        long reuses = 0;
        for (int i = 0; i < _cells.Length; i++)
        {
            returns += Volatile.Read(ref _cells[i].Returns);
            rents += Volatile.Read(ref _cells[i].Rents);
            reuses += Volatile.Read(ref _cells[i].Reuses);
        }

        return (rents, returns, reuses);
    }

    // 128 bytes: two cache lines, since the prefetcher draws neighbours together.
    [StructLayout(LayoutKind.Explicit, Size = 128)]
    private struct Cell
    {
        [FieldOffset(0)]
        public long Rents;
        [FieldOffset(8)]
        public long Returns;
        [FieldOffset(16)]
        public long Reuses;
    }
}
