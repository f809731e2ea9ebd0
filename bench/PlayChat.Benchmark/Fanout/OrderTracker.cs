namespace PlayChat.Benchmark.Fanout;

/// <summary>Finds holes, duplicates and wrong order in a rising series of numbers. Without faults it costs one comparison.</summary>
[StructLayout(LayoutKind.Auto)]
internal struct OrderTracker(long last)
{
    // A run that lacks more has failed. An arrival whose number was forgotten counts as a duplicate.
    private const int MaxHoles = 1_000;

    private long _last = last;
    private SortedSet<long>? _holes;

    public readonly long Last => _last;

    /// <param name="previous">The number of the one before it in the series.</param>
    public Arrival Accept(long number, long previous)
    {
        if (number <= _last)
        {
            return _holes is not null && _holes.Remove(number) ? Arrival.Late : Arrival.Duplicate;
        }

        if (previous >= number || previous < _last)
        {
            return Arrival.Inconsistent;
        }

        if (previous > _last)
        {
            _holes ??= [];
            for (long hole = _last + 1; hole <= previous && _holes.Count < MaxHoles; hole++)
            {
                _holes.Add(hole);
            }
        }

        _last = number;
        return Arrival.Forward;
    }

    /// <summary>Whether all numbers have arrived, up to the last one of the series.</summary>
    public readonly bool HasAll(long last) => _last >= last && _holes is not { Count: > 0 };

    /// <summary>The numbers that have not arrived, up to the last one of the series.</summary>
    public readonly IEnumerable<long> Missing(long last)
    {
        int after = (int)Math.Max(0, last - _last);
        long first = _last + 1;
        return (_holes ?? []).Concat(Enumerable.Range(0, after).Select(i => first + i));
    }
}

internal enum Arrival
{
    Forward, // the next number, or a later one that leaves a hole
    Late, // fills a hole: it arrived after a later number
    Duplicate, // has arrived before
    Inconsistent, // names a predecessor that was not the newest number
}
