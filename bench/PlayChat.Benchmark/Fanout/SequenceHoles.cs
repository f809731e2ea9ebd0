namespace PlayChat.Benchmark.Fanout;

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
