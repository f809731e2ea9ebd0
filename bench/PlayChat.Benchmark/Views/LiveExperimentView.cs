using System.Globalization;
using PlayChat.Benchmark.Experiments;

namespace PlayChat.Benchmark.Views;

/// <summary>Shows experiments on a terminal: two lines that change, and above them a line for each run that has ended.</summary>
/// <remarks>The first line has the run and the time left, the second its phase, bar, rate and p99.</remarks>
internal sealed class LiveExperimentView(StatusArea status) : IExperimentView
{
    private Experiment? _experiment;
    private volatile RunPlace? _place; // set by the runner, read by the thread that reports progress

    /// <inheritdoc/>
    public void Say(string text) => status.WriteLine(text);

    /// <inheritdoc/>
    public void Begin(RunPlace place)
    {
        if (_experiment != place.Experiment)
        {
            _experiment = place.Experiment;
            status.WriteLine(new StatusLine().Add(place.Experiment.Title, StatusStyle.Bold));
        }

        _place = place;
        Progress(new RunProgress("start", 0, 0, PerSecond: null, P99Microseconds: null, Faults: 0));
    }

    /// <inheritdoc/>
    public void Progress(RunProgress progress)
    {
        if (_place is { } place)
        {
            status.Show(Heading(place), Line(progress));
        }
    }

    /// <inheritdoc/>
    public void End(RunPlace place, string summary, string? problem)
    {
        _place = null;
        StatusLine line = new StatusLine().Add($"  {place.Run.Subject}, {place.Run.Case}  ").Add(summary, StatusStyle.Faint);
        if (problem is not null)
        {
            line.Add(" " + problem, StatusStyle.Bad);
        }

        status.WriteLine(line);
    }

    // The narrower the terminal, the more is cut off at the end, so the time left comes early.
    private static StatusLine Heading(RunPlace place) => new StatusLine()
        .Add(string.Create(CultureInfo.InvariantCulture, $"run {place.Number} of {place.Count}, about {place.LeftText} left: "))
        .Add($"{place.Run.Subject}, {place.Run.Case}", StatusStyle.Bold)
        .Add(string.Create(CultureInfo.InvariantCulture, $", round {place.Round}  "))
        .Add(string.Create(CultureInfo.InvariantCulture, $"experiment {place.ExperimentNumber} of {place.Experiments} "))
        .Add(place.Experiment.Name, StatusStyle.Bold);

    private static StatusLine Line(RunProgress progress)
    {
        StatusLine line = new StatusLine()
            .Add($"{progress.Phase,-9}")
            .AddBar(progress.Done, progress.Phase == "measure" ? StatusStyle.Good : StatusStyle.Waiting);
        if (progress.SecondsLeft > 0)
        {
            line.Add(string.Create(CultureInfo.InvariantCulture, $" {progress.SecondsLeft:0} s left"));
        }

        if (progress.PerSecond is { } perSecond)
        {
            line.Add(string.Create(CultureInfo.InvariantCulture, $"  {perSecond:N0}/s"));
        }

        if (progress.P99Microseconds is { } micros)
        {
            line.Add(string.Create(CultureInfo.InvariantCulture, $"  p99 {micros / 1000:N1} ms"));
        }

        return progress.Faults > 0
            ? line.Add(string.Create(CultureInfo.InvariantCulture, $"  {progress.Faults} faults"), StatusStyle.Bad)
            : line;
    }
}
