using System.Globalization;
using PlayChat.Benchmark.Experiments;

namespace PlayChat.Benchmark.Views;

/// <summary>Shows experiments as plain lines, for a file, a pipe or a terminal that cannot redraw.</summary>
internal sealed class PlainExperimentView(TextWriter output) : IExperimentView
{
    private Experiment? _experiment;

    public void Say(string text) => output.WriteLine(text);

    public void Begin(RunPlace place)
    {
        if (_experiment != place.Experiment)
        {
            _experiment = place.Experiment;
            output.WriteLine($"{place.ExperimentNumber}/{place.Experiments} {place.Experiment.Name}: {place.Experiment.Title}");
        }

        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"  run {place.Number} of {place.Count}, round {place.Round}, about {place.LeftText} left: "
            + $"{place.Run.Subject}, {place.Run.Case}"));
        output.Flush();
    }

    public void Progress(RunProgress progress)
    {
        // Ignored: it would be several lines per second.
    }

    public void End(RunPlace place, string summary, string? problem)
    {
        if (summary.Length > 0)
        {
            output.WriteLine("    " + summary);
        }

        if (problem is not null)
        {
            output.WriteLine("    problem: " + problem);
        }

        output.Flush();
    }
}
