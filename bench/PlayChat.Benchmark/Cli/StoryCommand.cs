using System.CommandLine;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Reports.Files;
using PlayChat.Benchmark.Reports.Story;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>story</c>: a page with charts about the results of a suite.</summary>
internal sealed class StoryCommand
{
    private const string ResultsFile = "results.json";

    private readonly Option<string> _report = new("--report")
    {
        Description = "The folder of the suite's report.",
        Required = true,
        HelpName = "FOLDER",
    };

    private readonly Option<string> _output = new("--output")
    {
        Description = "Where the page goes: README.md, its charts, results.json without the rows of single seconds, report.html.",
        Required = true,
        HelpName = "FOLDER",
    };

    private readonly Option<string?> _commit = new("--commit") { Description = "The version that was measured.", HelpName = "TEXT" };

    private readonly Option<string?> _echo = new("--echo")
    {
        Description = "The folder of a request-reply report, for the performance table of --readme.",
        HelpName = "FOLDER",
    };

    private readonly Option<string?> _readme = new("--readme")
    {
        Description = "A Markdown file whose table below 'Performance' is replaced.",
        HelpName = "FILE",
    };

    /// <summary>Makes the command.</summary>
    public Command Create()
    {
        var command = new Command("story", "Writes a page with five charts about the results of a suite. Measures nothing.")
        {
            _report, _output, _commit, _echo, _readme,
        };
        command.SetAction((result, _) => RunAsync(result));
        return command;
    }

    private async Task<int> RunAsync(ParseResult result)
    {
        string report = result.GetValue(_report)!;
        string? echo = result.GetValue(_echo);
        string? readme = result.GetValue(_readme);
        if (echo is null != readme is null)
        {
            throw new UsageException("--echo and --readme belong together.");
        }

        StoryResults results = await StoryResults.ReadAsync(Path.Combine(report, ResultsFile));
        var page = StoryPage.Create(results, result.GetValue(_commit));
        await StoryFiles.WriteAsync(page, results, report, result.GetValue(_output)!);
        if (echo is not null)
        {
            string table = ReadmeTable.Format(await StoryResults.ReadAsync(Path.Combine(echo, ResultsFile)));
            await File.WriteAllTextAsync(readme!, ReadmeTable.Replace(await File.ReadAllTextAsync(readme!), table));
        }

        foreach (string missing in page.Missing)
        {
            await result.InvocationConfiguration.Error.WriteLineAsync($"The results have no figure for: {missing}");
        }

        return page.Missing.Count == 0 ? 0 : ExitCodes.Failed;
    }
}
