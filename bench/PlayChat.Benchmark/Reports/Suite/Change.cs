using PlayChat.Benchmark.Experiments;

namespace PlayChat.Benchmark.Reports.Suite;

/// <summary>A figure then and now.</summary>
/// <param name="Where">Experiment, subject and case; empty for a single run.</param>
/// <param name="Key">The figure.</param>
/// <param name="Unit">As a person reads it.</param>
/// <param name="Earlier">Its value, or its median, in the earlier report.</param>
/// <param name="Now">In this one.</param>
/// <param name="Standing">Now against then; <see cref="Standing.Even"/> also where better and worse are not known.</param>
internal sealed record Change(string Where, string Key, string Unit, double Earlier, double Now, Standing Standing)
{
    /// <summary>Of the earlier value; none when that was 0.</summary>
    public double? Percent => Earlier == 0 ? Now == 0 ? 0 : null : (Now - Earlier) / Math.Abs(Earlier) * 100;
}
