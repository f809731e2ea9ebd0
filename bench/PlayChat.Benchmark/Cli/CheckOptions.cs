using System.CommandLine;
using System.Text.Json;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Reports;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Cli;

/// <summary>The options that judge a report: what it must not say, and what an earlier one said.</summary>
internal sealed class CheckOptions
{
    private readonly Option<string?> _compare = new("--compare")
    {
        Description = "An earlier report (JSON) of the same command: each figure's change is shown.",
        HelpName = "FILE",
    };

    private readonly Option<string[]> _failIf = new("--fail-if")
    {
        Description = "Exit code 1 when it is true, such as \"p99_us>5000\"; operators > >= < <= == !=, the figure by its key or its path in the JSON report. May be given several times.",
        DefaultValueFactory = _ => [],
        HelpName = "CONDITION",
    };

    /// <summary>Gives them to a command.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(_compare);
        command.Options.Add(_failIf);
    }

    /// <summary>Reads and checks them.</summary>
    /// <exception cref="UsageException">One cannot be.</exception>
    public (JsonObject? Earlier, IReadOnlyList<FailCondition> Conditions) Read(ParseResult result) =>
        (Load(result.GetValue(_compare)), result.GetValue(_failIf)!.Select(FailCondition.Parse).ToArray());

    private static JsonObject? Load(string? path)
    {
        if (path is null)
        {
            return null;
        }

        try
        {
            return JsonNode.Parse(File.ReadAllText(path)) as JsonObject ?? throw new UsageException($"--compare: '{path}' is no report.");
        }
        catch (JsonException)
        {
            throw new UsageException($"--compare: '{path}' is no JSON file.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"--compare: '{path}' cannot be read: {e.Message}");
        }
    }
}
