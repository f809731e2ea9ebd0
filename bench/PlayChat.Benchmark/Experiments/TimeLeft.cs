using System.Globalization;

namespace PlayChat.Benchmark.Experiments;

/// <summary>Estimates how long runs will take. Not thread-safe.</summary>
/// <remarks>
/// A run takes as long as in the round before; otherwise as long as its options say, plus what earlier runs took in addition.
/// </remarks>
internal sealed class TimeLeft
{
    // Start of server and load, login, drain, end.
    private const double FirstGuessOfTheRest = 4;

    private readonly Dictionary<ExperimentRun, double> _taken = [];
    private double _rest;
    private int _known;

    /// <summary>Notes how long a run took.</summary>
    public void Took(ExperimentRun run, TimeSpan time)
    {
        _taken[run] = time.TotalSeconds;
        if (Declared(run) is { } declared)
        {
            _rest += Math.Max(0, time.TotalSeconds - declared);
            _known++;
        }
    }

    /// <summary>Estimates the time of runs.</summary>
    public TimeSpan For(IEnumerable<ExperimentRun> runs) => TimeSpan.FromSeconds(runs.Sum(Seconds));

    private double Seconds(ExperimentRun run)
    {
        if (_taken.TryGetValue(run, out double seconds))
        {
            return seconds;
        }

        return Declared(run) is { } declared
            ? declared + (_known == 0 ? FirstGuessOfTheRest : _rest / _known)
            : _taken.Values.DefaultIfEmpty(FirstGuessOfTheRest).Average();
    }

    private static double? Declared(ExperimentRun run) =>
        Option(run, "--duration") is { } duration ? duration + (Option(run, "--warmup") ?? 0) : null;

    private static double? Option(ExperimentRun run, string name)
    {
        for (int i = 0; i + 1 < run.Arguments.Count; i++)
        {
            if (run.Arguments[i] == name
                && double.TryParse(run.Arguments[i + 1], NumberStyles.Float, CultureInfo.InvariantCulture, out double value))
            {
                return value;
            }
        }

        return null;
    }
}
