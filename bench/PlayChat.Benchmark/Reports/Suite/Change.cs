using PlayChat.Benchmark.Experiments;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>One figure in an earlier report and in this one.</summary>
/// <param name="Where">Experiment, server and case; empty for a single run.</param>
/// <param name="Key">The figure.</param>
/// <param name="Unit">The unit; empty for a count.</param>
/// <param name="Earlier">The value, or the median, in the earlier report.</param>
/// <param name="Now">The same in this report.</param>
/// <param name="Standing">Whether it became better. <see cref="Standing.Even"/> also when the better direction is not known.</param>
internal sealed record Change(string Where, string Key, string Unit, double Earlier, double Now, Standing Standing)
{
    /// <summary>The change in percent of the earlier value; <see langword="null"/> when that was 0 and this one is not.</summary>
    public double? Percent => Earlier == 0 ? Now == 0 ? 0 : null : (Now - Earlier) / Math.Abs(Earlier) * 100;
}
