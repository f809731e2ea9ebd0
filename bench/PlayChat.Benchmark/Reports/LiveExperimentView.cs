using System.Globalization;
using PlayChat.Benchmark.Experiments;
using Spectre.Console;

namespace PlayChat.Benchmark.Reports;

/// <summary>Shows experiments on a terminal: two lines that change (which run, time left; phase, bar, rate and p99 now), what has ended growing above them.</summary>
internal sealed class LiveExperimentView(IAnsiConsole console, LiveDisplayContext display) : IExperimentView
{
    private const int BarWidth = 30;

    private readonly object _gate = new(); // progress comes from another thread
    private Experiment? _experiment;
    private RunPlace? _place;

    public void Say(string text)
    {
        lock (_gate)
        {
            console.WriteLine(text);
        }
    }

    public void Begin(RunPlace place)
    {
        if (_experiment != place.Experiment)
        {
            _experiment = place.Experiment;
            lock (_gate)
            {
                console.MarkupLine($"[bold]{Markup.Escape(place.Experiment.Title)}[/]");
            }
        }

        lock (_gate)
        {
            _place = place;
        }

        Progress(new RunProgress("start", 0, 0, PerSecond: null, P99Microseconds: null, Faults: 0));
    }

    public void Progress(RunProgress progress)
    {
        lock (_gate)
        {
            if (_place is { } place)
            {
                display.UpdateTarget(new Markup(Heading(place) + "\n" + Line(progress)));
            }
        }
    }

    public void End(RunPlace place, string summary, string? problem)
    {
        string text = $"  {Markup.Escape($"{place.Run.Subject}, {place.Run.Case}")}  [grey]{Markup.Escape(summary)}[/]";
        lock (_gate)
        {
            _place = null;
            console.MarkupLine(problem is null ? text : $"{text} [red]{Markup.Escape(problem)}[/]");
        }
    }

    private static string Heading(RunPlace place) => string.Create(
        CultureInfo.InvariantCulture,
        $"experiment {place.ExperimentNumber} of {place.Experiments} [bold]{Markup.Escape(place.Experiment.Name)}[/]  run {place.Number} of {place.Count}, round {place.Round}: [bold]{Markup.Escape($"{place.Run.Subject}, {place.Run.Case}")}[/]  about {place.LeftText} left");

    private static string Line(RunProgress progress)
    {
        int filled = (int)(Math.Clamp(progress.Done, 0, 1) * BarWidth);
        string color = progress.Phase == "measure" ? "green" : "yellow";
        string left = progress.SecondsLeft > 0 ? string.Create(CultureInfo.InvariantCulture, $" {progress.SecondsLeft:0} s left") : string.Empty;
        string rate = progress.PerSecond is { } perSecond ? string.Create(CultureInfo.InvariantCulture, $"  {perSecond:N0}/s") : string.Empty;
        string p99 = progress.P99Microseconds is { } micros ? string.Create(CultureInfo.InvariantCulture, $"  p99 {micros / 1000:N1} ms") : string.Empty;
        string faults = progress.Faults > 0 ? string.Create(CultureInfo.InvariantCulture, $"  [red]{progress.Faults} faults[/]") : string.Empty;
        return $"{Markup.Escape(progress.Phase),-8} [{color}]{new string('━', filled)}[/][grey]{new string('─', BarWidth - filled)}[/]{left}{rate}{p99}{faults}";
    }
}
