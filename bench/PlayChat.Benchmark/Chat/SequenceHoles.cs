namespace PlayChat.Benchmark.Chat;

/// <summary>The numbers of a series that have not arrived, as ranges.</summary>
internal sealed class SequenceHoles
{
    // A run that loses more than this is broken anyhow; what then arrives for a forgotten hole counts as a duplicate.
    private const int MaxRanges = 10_000;

    private readonly List<(long From, long To)> _ranges = [];

    /// <summary>Adds the numbers from one to another, both included, all of them above those added before.</summary>
    public void Add(long from, long to)
    {
        if (_ranges.Count == MaxRanges)
        {
            _ranges.RemoveAt(0);
        }

        _ranges.Add((from, to));
    }

    /// <summary>What is left.</summary>
    public IReadOnlyList<(long From, long To)> Ranges => _ranges;

    /// <summary>Takes a number out.</summary>
    /// <returns>Whether it was in.</returns>
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
