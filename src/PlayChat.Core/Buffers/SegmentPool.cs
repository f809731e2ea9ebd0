namespace PlayChat.Core.Buffers;

/// <summary>
/// Recycles segments of six sizes. Arrays come from <see cref="ArrayPool{T}"/>. A segment keeps its array while it is idle, so that
/// renting allocates nothing and the pool can say how often it had to ask for memory. <see cref="Trim"/> gives back the arrays that were
/// idle all the time since the last call, so what a load needs again and again stays, and what a burst has left goes.
/// </summary>
/// <remarks>Thread-safe.</remarks>
internal class SegmentPool
{
    /// <summary>What a busy receive reads into. 64 KB: larger gains nothing at any message size, 4 KB costs five times the CPU at 4 KB
    /// messages.</summary>
    internal const int ReceiveBytes = 64 * 1024;

    /// <summary>What receives frames that do not fit the usual size: several frames of 64 KB with their headers.</summary>
    internal const int LargeReceiveBytes = 256 * 1024;

    // 1 KB: a message on its way into a room. 4 KB: what one batch of answers usually is. 64 KB: receive and large sends.
    // 128 KB: a frame with a body of 64 KB that waits to be sent. 256 KB: receive of frames that do not fit 64 KB.
    private static readonly int[] s_classBytes = [1024, 4096, 16 * 1024, ReceiveBytes, 128 * 1024, LargeReceiveBytes];

    private static readonly PoolTrimmer s_default = new(new SegmentPool(), TimeProvider.System);

    private readonly ArrayPool<byte> _arrays;
    private readonly FreeList[] _free;
    private readonly PoolCounters _counters = new();

    internal SegmentPool(ArrayPool<byte>? arrays = null)
    {
        _arrays = arrays ?? ArrayPool<byte>.Shared;
        _free = new FreeList[s_classBytes.Length];
        for (int i = 0; i < _free.Length; i++)
        {
            _free[i] = new FreeList();
        }
    }

    /// <summary>For connections that belong to no server of this process.</summary>
    internal static SegmentPool Default => s_default.Pool;

    internal PoolStatistics Statistics => _counters.Read();

    /// <summary>Gives a segment of at least <paramref name="bytes"/> with one holder: the caller.</summary>
    internal Segment RentSegment(int bytes)
    {
        int sizeClass = ClassOf(bytes);
        Segment? segment = sizeClass < 0 ? null : _free[sizeClass].TryPop();
        _counters.CountRent(reused: segment is not null);
        segment ??= new Segment(this, _arrays.Rent(sizeClass < 0 ? bytes : s_classBytes[sizeClass]), sizeClass);
        segment.OnRented();
        return segment;
    }

    internal void Return(Segment segment)
    {
        OnReturning(segment);
        _counters.CountReturn();
        if (segment.SizeClass < 0 || !_free[segment.SizeClass].TryPush(segment))
        {
            _arrays.Return(segment.Array);
        }
    }

    /// <summary>Gives back the segments that have been idle all the time since the last call.</summary>
    internal TrimResult Trim()
    {
        (long segments, long bytes) = GiveBack(static list => list.Trim());
        return new TrimResult(segments, bytes, Kept: _free.Sum(static list => list.Count) + _counters.Read().InUse);
    }

    /// <summary>Gives back what lies idle; what is still rented goes back when it is returned. The pool can be used on, but keeps
    /// nothing.</summary>
    internal void Close() => GiveBack(static list => list.Close());

    /// <summary>Inspects a segment that has no holder left, before it can be rented again.</summary>
    protected virtual void OnReturning(Segment segment)
    {
    }

    private (long Segments, long Bytes) GiveBack(Func<FreeList, IEnumerable<Segment>> take)
    {
        (long segments, long bytes) = (0, 0);
        foreach (Segment segment in _free.SelectMany(take))
        {
            segments++;
            bytes += segment.Array.Length;
            _arrays.Return(segment.Array);
        }

        return (segments, bytes);
    }

    private static int ClassOf(int bytes)
    {
        for (int i = 0; i < s_classBytes.Length; i++)
        {
            if (bytes <= s_classBytes[i])
            {
                return i;
            }
        }

        return -1;
    }
}
