using System.Text.Json;

namespace PlayChat.Benchmark.Experiments;

/// <summary>How far a run is, as it tells the process that started it: a line of JSON several times a second.</summary>
/// <param name="Phase">In lower case.</param>
/// <param name="Done">Of the phase, 0 to 1.</param>
/// <param name="SecondsLeft">Of the phase.</param>
/// <param name="PerSecond">Answers or deliveries now; <see langword="null"/> before the load.</param>
/// <param name="P99Microseconds">Now.</param>
/// <param name="Faults">So far.</param>
internal sealed record RunProgress(string Phase, double Done, double SecondsLeft, double? PerSecond, double? P99Microseconds, long Faults)
{
    /// <summary>The environment variable by which a run is asked for these lines.</summary>
    public const string Variable = "PLAYCHAT_BENCHMARK_PROGRESS";

    private const string Prefix = "progress ";

    /// <summary>The line.</summary>
    public string Format() => Prefix + JsonSerializer.Serialize(this);

    /// <summary>Reads a line of a run's output; <see langword="null"/>: it is something else.</summary>
    public static RunProgress? Parse(string line)
    {
        try
        {
            return line.StartsWith(Prefix, StringComparison.Ordinal) ? JsonSerializer.Deserialize<RunProgress>(line.AsSpan(Prefix.Length)) : null;
        }
        catch (JsonException)
        {
            return null; // a line that was cut off, since the run was killed
        }
    }
}
