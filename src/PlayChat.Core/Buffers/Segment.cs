namespace PlayChat.Core.Buffers;

/// <summary>One pooled array with a count of its holders. The holder that drops the last hold gives the array back to its pool.</summary>
/// <remarks>
/// A fresh segment has one holder. An exclusive owner writes through <see cref="Array"/> and <see cref="Written"/>; once it is
/// shared (<see cref="Retain"/>) no holder writes to it.
/// </remarks>
internal sealed class Segment
{
    private readonly SegmentPool _pool;
    private int _holders;

    internal Segment(SegmentPool pool, byte[] array, int sizeClass)
    {
        _pool = pool;
        Array = array;
        SizeClass = sizeClass;
    }

    /// <summary>The memory; at least as long as was asked for, not zeroed.</summary>
    internal byte[] Array { get; }

    /// <summary>Which of the pool's free lists it belongs to; -1 for a size the pool does not keep.</summary>
    internal int SizeClass { get; }

    /// <summary>How many bytes at the front hold data.</summary>
    internal int Written { get; set; }

    internal int FreeBytes => Array.Length - Written;

    internal Span<byte> Free => Array.AsSpan(Written);

    /// <summary>Adds a holder. Only a holder may call this.</summary>
    internal void Retain()
    {
        if (Interlocked.Increment(ref _holders) <= 1)
        {
            throw new InvalidOperationException("A segment was retained after its last holder had released it.");
        }
    }

    /// <summary>Drops a hold; the last one returns the memory, which must not be touched afterwards.</summary>
    internal void Release()
    {
        int left = Interlocked.Decrement(ref _holders);
        if (left == 0)
        {
            _pool.Return(this);
        }
        else if (left < 0)
        {
            throw new InvalidOperationException("A segment was released more often than it was held.");
        }
    }

    internal void OnRented()
    {
        Written = 0;
        Volatile.Write(ref _holders, 1);
    }
}
