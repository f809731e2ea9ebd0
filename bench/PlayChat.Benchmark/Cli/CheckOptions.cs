using System.CommandLine;
using System.Text.Json;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Figures;

namespace PlayChat.Benchmark.Cli;

/// <summary>The options that judge a report: conditions, and an earlier report to compare with.</summary>
internal sealed class CheckOptions
{
    private readonly Option<string?> _compare = new("--compare")
    {
        Description = "An earlier report (JSON) of the same command. Shows the change of each figure.",
        HelpName = "FILE",
    };

    private readonly Option<string[]> _failIf = new("--fail-if")
    {
        Description = "Exit with code 1 when the condition is true, such as \"p99_us>5000\". Operators: > >= < <= == !=. "
            + "The figure is a key or a path of the JSON report. May be given several times.",
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
    /// <exception cref="UsageException">An option is invalid.</exception>
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
            return JsonNode.Parse(File.ReadAllText(path)) as JsonObject
                ?? throw new UsageException($"--compare: '{path}' is no report.");
        }
        catch (JsonException)
        {
            throw new UsageException($"--compare: '{path}' is no JSON file.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"--compare: cannot read '{path}': {e.Message}");
        }
    }
}
