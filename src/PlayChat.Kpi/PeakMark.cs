namespace PlayChat.Kpi;

/// <summary>A moment that stretches of time are measured between, with the peaks of the stretches before it. Immutable.</summary>
/// <param name="number">How many stretches have ended up to here.</param>
/// <param name="sinceStart">The peaks of all of them.</param>
/// <param name="recent">The peaks of each of the last ones, the newest at the end.</param>
internal sealed class PeakMark(long number, Peaks sinceStart, Peaks[] recent)
{
    /// <summary>With one snapshot a second, intervals of eight minutes are exact; 12 KB for each snapshot.</summary>
    internal const int Capacity = 512;

    private readonly long _number = number;

    internal Peaks SinceStart => sinceStart;

    /// <summary>The mark at the end of one more stretch.</summary>
    internal PeakMark Next(Peaks peaks, Peaks sinceStart) =>
        new(_number + 1, sinceStart, [.. recent.TakeLast(Capacity - 1), peaks]);

    /// <summary>The peaks between an earlier mark and this one; those since the start when that is too many marks ago.</summary>
    internal Peaks Since(PeakMark earlier)
    {
        long stretches = _number - earlier._number;
        if (stretches > recent.Length)
        {
            return SinceStart;
        }

        Peaks peaks = default;
        for (int i = recent.Length - (int)stretches; i < recent.Length; i++)
        {
            peaks = Peaks.Max(peaks, recent[i]);
        }

        return peaks;
    }
}
