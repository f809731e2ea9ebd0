namespace PlayChat.Core.Buffers;

/// <summary>A stack of idle segments, in one stripe a core so that cores seldom meet.</summary>
/// <remarks>
/// Thread-safe. Last in, first out: what is still in the cache is handed out first, and what lies at the bottom has not been needed for
/// the longest time. It holds no more than was in use at one time, and <see cref="Trim"/> removes what has not been needed lately.
/// </remarks>
internal sealed class FreeList
{
    private static readonly int s_stripes = Environment.ProcessorCount;

    private readonly Stripe[] _stripes = new Stripe[s_stripes];

    internal FreeList()
    {
        for (int i = 0; i < _stripes.Length; i++)
        {
            _stripes[i] = new Stripe();
        }
    }

    internal long Count => _stripes.Sum(static stripe => (long)stripe.Count);

    internal Segment? TryPop()
    {
        int own = Thread.GetCurrentProcessorId() % s_stripes;
        for (int i = 0; i < _stripes.Length; i++)
        {
            // Take memory that another core has returned before allocating new memory.
            if (_stripes[(own + i) % s_stripes].TryPop() is { } segment)
            {
                return segment;
            }
        }

        return null;
    }

    /// <summary>Adds a segment.</summary>
    /// <returns><see langword="false"/> when the list is closed.</returns>
    internal bool TryPush(Segment segment) => _stripes[Thread.GetCurrentProcessorId() % s_stripes].TryPush(segment);

    /// <summary>Removes the segments that lay here during the whole time since the last call.</summary>
    internal IEnumerable<Segment> Trim() => _stripes.SelectMany(static stripe => stripe.Trim());

    /// <summary>Removes all segments, and takes no more.</summary>
    internal IEnumerable<Segment> Close() => _stripes.SelectMany(static stripe => stripe.Close());

    /// <remarks>Invariant, whenever the gate is free: since the last trim at least <c>_least</c> segments have lain here.</remarks>
    private sealed class Stripe
    {
        private const int InitialLength = 8;

        private readonly object _gate = new();
        private Segment?[] _items = new Segment?[InitialLength];
        private int _count;
        private int _least;
        private bool _closed;

        internal int Count => Volatile.Read(ref _count);

        internal Segment? TryPop()
        {
            if (Volatile.Read(ref _count) == 0)
            {
                return null;
            }

            lock (_gate)
            {
                if (_count == 0)
                {
                    return null;
                }

                Segment? top = _items[--_count];
                _items[_count] = null;
                if (_count < _least)
                {
                    _least = _count;
                }

                return top;
            }
        }

        internal bool TryPush(Segment segment)
        {
            lock (_gate)
            {
                if (_closed)
                {
                    return false;
                }

                if (_count == _items.Length)
                {
                    Array.Resize(ref _items, _items.Length * 2);
                }

                _items[_count++] = segment;
                return true;
            }
        }

        internal Segment[] Trim()
        {
            lock (_gate)
            {
                Segment[] bottom = TakeBottom(_least);
                _least = _count;
                return bottom;
            }
        }

        internal Segment[] Close()
        {
            lock (_gate)
            {
                _closed = true;
                _least = 0;
                return TakeBottom(_count);
            }
        }

        private Segment[] TakeBottom(int count)
        {
            if (count == 0)
            {
                return [];
            }

            Segment[] bottom = _items[..count]!;
            Segment?[] top = _items[count.._count];
            _items = new Segment?[Math.Max(InitialLength, top.Length)];
            top.CopyTo(_items, 0);
            _count = top.Length;
            return bottom;
        }
    }
}
