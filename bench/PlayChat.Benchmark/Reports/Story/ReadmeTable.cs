using System.Globalization;
using System.Text;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.RequestReply;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Figures;

namespace PlayChat.Benchmark.Reports.Story;

/// <summary>The performance table of README.md, from the results of the command beside it.</summary>
internal static class ReadmeTable
{
    private const string Section = "## Performance";

    // In the table's order. All of them send plain frames, so they do the same work.
    private static readonly (string Subject, string Name)[] s_rows =
    [
        (Subjects.NativeLinux, "PlayChat, Linux transport"),
        (ExperimentRun.Ours, "PlayChat, default"),
        (Subjects.Kestrel, "Kestrel `ConnectionHandler`"),
        ("dotnetty", "DotNetty"),
    ];

    /// <summary>Formats the table and the sentences above it. A server without a good round has no row.</summary>
    /// <exception cref="RunFailedException">The results have no such measurement.</exception>
    public static string Format(StoryResults results)
    {
        ExperimentResult result = results.Find(RequestReplyExperiment.Name)
            ?? throw new RunFailedException($"The results for the README have no experiment '{RequestReplyExperiment.Name}'.");
        var text = new StringBuilder("The server sends each 64-byte frame back. 1,000 connections have 30 outstanding each; ");
        text.Append("server and load have a core each.");
        if (Run(Subjects.Packets) is { } ours && Run("signalr" + Subjects.PacketsOf) is { } theirs)
        {
            text.Append(CultureInfo.InvariantCulture, $" With typed messages and request ids, PlayChat answers {Rate(ours)} ");
            text.Append(CultureInfo.InvariantCulture, $"requests per second, and SignalR {Rate(theirs)}.");
        }

        text.Append("\n\n| server | CPU time per message | messages per second | 99 % of the answers within |\n");
        text.Append("| --- | --- | --- | --- |\n");
        foreach ((string subject, string name) in s_rows)
        {
            if (Run(subject) is { } run)
            {
                text.Append(CultureInfo.InvariantCulture, $"| {name} | {Value(run, "cpu_us_per_message", 1)} µs ");
                text.Append(CultureInfo.InvariantCulture, $"| {Rate(run)} | {Value(run, "p99_us", 1e-3)} ms |\n");
            }
        }

        return text.ToString();

        RunResult? Run(string subject) => result.Runs.FirstOrDefault(run => run.Run.Subject == subject && run.IsValid);

        string Rate(RunResult run) => $"{Value(run, "messages_per_s", 1e-6)} million";

        string Value(RunResult run, string key, double factor) =>
            run.Range(result.Experiment.Figures.First(figure => figure.Key == key)) is { } range
                ? FigureText.Number(range.Median * factor)
                : "–";
    }

    /// <summary>Puts the sentences and the table in the place of all from the heading "Performance" to its table's end.</summary>
    /// <exception cref="RunFailedException">The document has no such table.</exception>
    public static string Replace(string document, string table)
    {
        List<string> lines = [.. document.Split('\n')];
        int section = lines.IndexOf(Section);
        int first = section < 0 ? -1 : lines.FindIndex(section, static line => line.StartsWith('|'));
        if (first < 0)
        {
            throw new RunFailedException($"The document has no table below '{Section}'.");
        }

        int end = first + lines.Skip(first).TakeWhile(static line => line.StartsWith('|')).Count();
        lines.RemoveRange(section + 1, end - section - 1);
        lines.InsertRange(section + 1, ["", .. table.TrimEnd('\n').Split('\n')]);
        return string.Join('\n', lines);
    }
}
