namespace PlayChat.Core.Buffers;

/// <summary>A bounded stack of idle segments, in one stripe a core so that cores seldom meet.</summary>
/// <remarks>Thread-safe. Last in, first out: what is still in the cache is handed out first.</remarks>
internal sealed class FreeList
{
    private static readonly int s_stripes = Environment.ProcessorCount;

    private readonly Stripe[] _stripes = new Stripe[s_stripes];

    internal FreeList(int capacity)
    {
        int perStripe = Math.Max(1, capacity / s_stripes);
        for (int i = 0; i < _stripes.Length; i++)
        {
            _stripes[i] = new Stripe(perStripe);
        }
    }

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

    /// <summary>Gives out what lies here, and takes no more.</summary>
    internal IEnumerable<Segment> Close() => _stripes.SelectMany(static stripe => stripe.Close());

    internal bool TryPush(Segment segment) => _stripes[Thread.GetCurrentProcessorId() % s_stripes].TryPush(segment);

    private sealed class Stripe(int capacity)
    {
        private readonly object _gate = new();

        // Grows up to its capacity as it is used, so that an idle server keeps it small.
        private Segment?[] _items = new Segment?[Math.Min(8, capacity)];
        private int _capacity = capacity;
        private int _count;

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
                return top;
            }
        }

        internal Segment[] Close()
        {
            lock (_gate)
            {
                _capacity = 0;
                Segment[] left = _items[.._count]!;
                _items = [];
                _count = 0;
                return left;
            }
        }

        internal bool TryPush(Segment segment)
        {
            lock (_gate)
            {
                if (_count >= _capacity)
                {
                    return false;
                }

                if (_count == _items.Length)
                {
                    Array.Resize(ref _items, Math.Min(_capacity, _items.Length * 2));
                }

                _items[_count++] = segment;
                return true;
            }
        }
    }
}
