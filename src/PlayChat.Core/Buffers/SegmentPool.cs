using System.Buffers;

namespace PlayChat.Core.Buffers;

/// <summary>
/// Recycles segments of five sizes. Arrays come from <see cref="ArrayPool{T}"/> and go back to it when more than
/// <see cref="s_maxIdle"/> lie idle; in between a segment keeps its array, so that renting allocates nothing and
/// the pool can say how often it had to ask for memory.
/// </summary>
/// <remarks>Thread-safe.</remarks>
internal class SegmentPool
{
    /// <summary>What a busy receive reads into. 64 KB: larger gains nothing at any message size, 4 KB costs five times the CPU at 4 KB
    /// messages.</summary>
    internal const int ReceiveBytes = 64 * 1024;

    // 1 KB: a message on its way into a room. 4 KB: what one batch of answers usually is. 64 KB: receive and large sends.
    // 256 KB: receive of frames that do not fit 64 KB.
    private static readonly int[] s_classBytes = [1024, 4096, 16 * 1024, ReceiveBytes, 256 * 1024];

    // 4, 4, 16, 64 and 16 MB at the most. The smallest class must outlast a full room queue (1,024 by default) that empties in one go,
    // or a busy room allocates for every message. The other classes must outlast a thousand connections that pause and resume, or each
    // pause costs a new block.
    private static readonly int[] s_maxIdle = [4096, 1024, 1024, 1024, 64];

    private readonly ArrayPool<byte> _arrays;
    private readonly FreeList[] _free;
    private readonly PoolCounters _counters = new();

    internal SegmentPool(ArrayPool<byte>? arrays = null)
    {
        _arrays = arrays ?? ArrayPool<byte>.Shared;
        _free = new FreeList[s_classBytes.Length];
        for (int i = 0; i < _free.Length; i++)
        {
            _free[i] = new FreeList(s_maxIdle[i]);
        }
    }

    /// <summary>For connections that belong to no server of this process.</summary>
    internal static SegmentPool Default { get; } = new();

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

    /// <summary>Gives back what lies idle; what is still rented goes back when it is returned. The pool can be used on, but keeps
    /// nothing.</summary>
    internal void Close()
    {
        foreach (Segment segment in _free.SelectMany(static list => list.Close()))
        {
            _arrays.Return(segment.Array);
        }
    }

    /// <summary>Inspects a segment that has no holder left, before it can be rented again.</summary>
    protected virtual void OnReturning(Segment segment)
    {
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
