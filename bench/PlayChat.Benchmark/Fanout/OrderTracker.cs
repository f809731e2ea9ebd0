namespace PlayChat.Benchmark.Fanout;

/// <summary>Finds holes, duplicates and wrong order in a rising series of numbers. Without faults it costs one comparison.</summary>
[StructLayout(LayoutKind.Auto)]
internal struct OrderTracker
{
    private long _last;
    private SequenceHoles? _holes;

    public OrderTracker(long last)
    {
        _last = last;
        _holes = null;
    }

    /// <summary>The newest number so far.</summary>
    public readonly long Last => _last;

    /// <summary>Checks an arrival.</summary>
    /// <param name="previous">The number of the one before it in the series.</param>
    public Arrival Accept(long number, long previous)
    {
        if (number <= _last)
        {
            return _holes is not null && _holes.TryFill(number) ? Arrival.Late : Arrival.Duplicate;
        }

        if (previous >= number || previous < _last)
        {
            return Arrival.Inconsistent;
        }

        if (previous > _last)
        {
            (_holes ??= new SequenceHoles()).Add(_last + 1, previous);
        }

        _last = number;
        return Arrival.Forward;
    }

    /// <summary>Whether all numbers have arrived, up to the last one of the series.</summary>
    public readonly bool HasAll(long last) => _last >= last && (_holes is null || _holes.Ranges.Count == 0);

    /// <summary>The numbers that have not arrived, up to the last one of the series.</summary>
    public readonly IEnumerable<long> Missing(long last)
    {
        IReadOnlyList<(long From, long To)> holes = _holes?.Ranges ?? [];
        return holes.Append((From: _last + 1, To: last)).SelectMany(static hole => Numbers(hole.From, hole.To));
    }

    private static IEnumerable<long> Numbers(long from, long to)
    {
        for (long number = from; number <= to; number++)
        {
            yield return number;
        }
    }
}

/// <summary>An arrival compared with those before it.</summary>
internal enum Arrival
{
    /// <summary>The next number, or a later one that leaves a hole.</summary>
    Forward,

    /// <summary>Fills a hole: it arrived after a later number.</summary>
    Late,

    /// <summary>Has arrived before.</summary>
    Duplicate,

    /// <summary>Names a predecessor that was not the newest number.</summary>
    Inconsistent,
}

/// <summary>The numbers of a series that have not arrived, as ranges.</summary>
internal sealed class SequenceHoles
{
    // A run with more holes has failed. An arrival for a hole that was forgotten counts as a duplicate.
    private const int MaxRanges = 10_000;

    private readonly List<(long From, long To)> _ranges = [];

    /// <summary>Adds a range of numbers, both ends included, above all ranges added before.</summary>
    public void Add(long from, long to)
    {
        if (_ranges.Count == MaxRanges)
        {
            _ranges.RemoveAt(0);
        }

        _ranges.Add((from, to));
    }

    /// <summary>The ranges that are still missing.</summary>
    public IReadOnlyList<(long From, long To)> Ranges => _ranges;

    /// <summary>Removes a number.</summary>
    /// <returns>Whether it was missing.</returns>
    public bool TryFill(long number)
    {
        int index = _ranges.FindIndex(range => number >= range.From && number <= range.To);
        if (index < 0)
        {
            return false;
        }

        (long from, long to) = _ranges[index];
        _ranges.RemoveAt(index);
        if (number < to)
        {
            _ranges.Insert(index, (number + 1, to));
        }

        if (number > from)
        {
            _ranges.Insert(index, (from, number - 1));
        }

        return true;
    }
}
