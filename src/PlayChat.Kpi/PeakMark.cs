namespace PlayChat.Kpi;

/// <summary>A moment that stretches of time are measured between, with the peaks of the stretches before it. Immutable.</summary>
internal sealed class PeakMark
{
    /// <summary>With one snapshot a second, intervals of eight minutes are exact; 12 KB for each snapshot.</summary>
    internal const int Capacity = 512;

    private readonly long _number;
    private readonly Peaks[] _recent;

    /// <param name="number">How many stretches have ended up to here.</param>
    /// <param name="sinceStart">The peaks of all of them.</param>
    /// <param name="recent">The peaks of each of the last ones, the newest at the end.</param>
    internal PeakMark(long number, Peaks sinceStart, Peaks[] recent)
    {
        _number = number;
        SinceStart = sinceStart;
        _recent = recent;
    }

    internal Peaks SinceStart { get; }

    /// <summary>The mark at the end of one more stretch.</summary>
    internal PeakMark Next(Peaks peaks, Peaks sinceStart) =>
        new(_number + 1, sinceStart, [.. _recent.TakeLast(Capacity - 1), peaks]);

    /// <summary>The peaks between an earlier mark and this one; those since the start when that is too many marks ago.</summary>
    internal Peaks Since(PeakMark earlier)
    {
        long stretches = _number - earlier._number;
        if (stretches > _recent.Length)
        {
            return SinceStart;
        }

        Peaks peaks = default;
        for (int i = _recent.Length - (int)stretches; i < _recent.Length; i++)
        {
            peaks = Peaks.Max(peaks, _recent[i]);
        }

        return peaks;
    }
}
