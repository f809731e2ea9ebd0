using System.Text.Encodings.Web;
using System.Text.Json.Serialization;

namespace PlayChat.Benchmark.Reports;

/// <summary>The results of experiments: the content of <c>results.json</c>, from which the page and the Markdown are made.</summary>
/// <param name="StartedAt">In UTC.</param>
internal sealed record SuiteReport(
    [property: JsonIgnore] IReadOnlyList<ExperimentResult> Results,
    string CommandLine,
    DateTimeOffset StartedAt,
    [property: JsonPropertyName("duration_s")] double Seconds,
    JsonObject Machine)
{
    private const int PresentSchema = 3;

    private static readonly JsonSerializerOptions s_json = new()
    {
        WriteIndented = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.SnakeCaseLower) },
    };

    /// <summary>The version of the file's own keys, not of a run's report. It grows when one changes its meaning or goes.</summary>
    [JsonPropertyOrder(-1)]
    public int Schema { get; init; } = PresentSchema;

    public int Rounds { get; init; } = 1;

    public string? Commit { get; init; }

    public bool Interrupted { get; init; }

    public int NotRun { get; init; }

    public IReadOnlyList<string> Skipped { get; init; } = [];

    /// <summary>The conditions of <c>--fail-if</c>, judged. Not in results.json.</summary>
    [JsonIgnore]
    public IReadOnlyList<Verdict> Verdicts { get; init; } = [];

    [JsonIgnore]
    public IEnumerable<(string Subject, string Text)> Problems => Results.SelectMany(static result => result.Problems);

    public static SuiteReport Read(string path)
    {
        JsonObject json = ReportFiles.Read(path);
        UsageException.Unless(
            json["schema"]?.ToJsonString() == $"{PresentSchema}", $"'{path}' is not a results.json of schema {PresentSchema}.");
        return json.Deserialize<SuiteReport>(s_json)! with
        {
            Results = json["experiments"]!.AsArray().Select(static experiment => ReadExperiment(experiment!.AsObject())).ToArray(),
        };
    }

    /// <summary>This report, in which the experiments of a later one take the place of those of the same name.</summary>
    public SuiteReport Update(SuiteReport later)
    {
        ExperimentResult[] news = later.Results.Select(result => result with { Measured = SuiteText.Measured(later) }).ToArray();
        return this with
        {
            Results =
            [
                .. Results.Select(result => Array.Find(news, other => other.Experiment.Name == result.Experiment.Name) ?? result),
                .. news.Where(result => Results.All(other => other.Experiment.Name != result.Experiment.Name)),
            ],
        };
    }

    /// <param name="small">Whether to leave out the rows of single seconds, so that it is small enough for a repository.</param>
    public string ToJson(bool small = false)
    {
        JsonObject json = ToNode(this)!.AsObject();
        json["experiments"] = new JsonArray(Results.Select(result => (JsonNode)Write(result, small)).ToArray());
        json["problems"] = ToNode(Problems.Select(static problem => problem.Text));
        return json.ToJsonString(new JsonSerializerOptions(s_json) { WriteIndented = !small }) + "\n";
    }

    private static JsonObject Write(ExperimentResult result, bool small)
    {
        JsonObject json = ToNode(result.Experiment)!.AsObject();
        json["measured"] = result.Measured;
        json["runs"] = new JsonArray(result.Runs.Select(run => (JsonNode)Write(run, result.Experiment, small)).ToArray());
        return json;
    }

    private static JsonObject Write(RunResult run, Experiment experiment, bool small)
    {
        JsonObject json = ToNode(run.Run)!.AsObject();
        json["client"] = run.Client;
        json["command_line"] = run.CommandLine;
        json["figures"] = ToNode(experiment.Figures.ToDictionary(
            static figure => figure.Key, figure => Write(run.Range(figure)), StringComparer.Ordinal));
        json["problems"] = ToNode(run.Problems);
        json["good"] = ToNode(run.Rounds.Select(static round => round.IsGood));
        json["reports"] = ToNode(run.Rounds.Select(round => small ? Small(round.Report) : round.Report));
        return json;
    }

    // Six digits: a ratio of lost messages may be as small as one in a million.
    private static JsonObject? Write(FigureRange? range) => range is not { } known ? null : new JsonObject
    {
        ["median"] = JsonFigures.Round(known.Median, 6),
        ["min"] = JsonFigures.Round(known.Min, 6),
        ["max"] = JsonFigures.Round(known.Max, 6),
    };

    private static JsonObject? Small(JsonObject? report)
    {
        JsonObject? copy = report?.DeepClone().AsObject();
        foreach (string key in (string[])["intervals", "machine", "command_line", "started_at"])
        {
            copy?.Remove(key);
        }

        return copy;
    }

    private static ExperimentResult ReadExperiment(JsonObject json)
    {
        Experiment experiment = json.Deserialize<Experiment>(s_json)!;
        IEnumerable<RunResult> runs = experiment.Runs.Zip(
            json["runs"]!.AsArray(), static (run, written) => ReadRun(run, written!.AsObject()));
        return new ExperimentResult(experiment, runs.ToArray()) { Measured = (string?)json["measured"] };
    }

    private static RunResult ReadRun(ExperimentRun run, JsonObject json)
    {
        bool[] good = json["good"].Deserialize<bool[]>()!;
        string[] problems = json["problems"].Deserialize<string[]>()!;
        return new RunResult(run, json["reports"]!.AsArray().Select((report, i) =>
        {
            string prefix = $"round {i + 1}: ";
            string? problem = Array.Find(problems, text => text.StartsWith(prefix, StringComparison.Ordinal))?[prefix.Length..];
            return new RoundResult(report?.DeepClone().AsObject(), problem, Interrupted: !good[i] && problem is null);
        }).ToArray())
        {
            Client = (string)json["client"]!,
            CommandLine = (string)json["command_line"]!,
        };
    }

    private static JsonNode? ToNode<T>(T value) => JsonSerializer.SerializeToNode(value, s_json);
}
