using System.Runtime.InteropServices;

namespace PlayChat.Benchmark.Fanout;

/// <summary>Finds holes, duplicates and wrong order in a rising series of numbers. Without faults it costs one comparison.</summary>
[StructLayout(LayoutKind.Auto)]
internal struct OrderTracker
{
    private long _last;
    private SequenceHoles? _holes;

    /// <param name="last">The newest number before the first arrival.</param>
    public OrderTracker(long last)
    {
        _last = last;
        _holes = null;
    }

    /// <summary>The newest number so far.</summary>
    public readonly long Last => _last;

    /// <summary>Checks an arrival.</summary>
    /// <param name="number">Its number.</param>
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
