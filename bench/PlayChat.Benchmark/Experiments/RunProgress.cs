using System.Text.Json;

namespace PlayChat.Benchmark.Experiments;

/// <summary>The progress of a run, which it reports to the process that started it: a line of JSON several times per second.</summary>
/// <param name="Phase">In lower case.</param>
/// <param name="Done">Of the phase, 0 to 1.</param>
/// <param name="SecondsLeft">Of the phase.</param>
/// <param name="PerSecond">Answers or deliveries now; <see langword="null"/> before the load.</param>
/// <param name="P99Microseconds">Now.</param>
/// <param name="Faults">So far.</param>
internal sealed record RunProgress(string Phase, double Done, double SecondsLeft, double? PerSecond, double? P99Microseconds, long Faults)
{
    /// <summary>The environment variable that makes a run write these lines.</summary>
    public const string Variable = "PLAYCHAT_BENCHMARK_PROGRESS";

    private const string Prefix = "progress ";

    /// <summary>The line.</summary>
    public string Format() => Prefix + JsonSerializer.Serialize(this);

    /// <summary>Parses a line of a run's output; <see langword="null"/> when it is another line.</summary>
    public static RunProgress? Parse(string line)
    {
        try
        {
            return line.StartsWith(Prefix, StringComparison.Ordinal)
                ? JsonSerializer.Deserialize<RunProgress>(line.AsSpan(Prefix.Length))
                : null;
        }
        catch (JsonException)
        {
            return null; // cut off, because the run was killed
        }
    }
}
