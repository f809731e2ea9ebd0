using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.Suite;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Story;

/// <summary>A suite's <c>results.json</c>, read again.</summary>
internal sealed class StoryResults
{
    // What a run's report repeats, or what only the charts of index.html show.
    private static readonly string[] s_left = ["intervals", "machine", "command_line", "started_at"];

    private static readonly JsonSerializerOptions s_compact = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly JsonObject _json;

    private StoryResults(JsonObject json)
    {
        _json = json;
        Rounds = Runs().Select(static run => run["good"]!.AsArray().Count).DefaultIfEmpty(0).Max();
        ExperimentSettings settings = new(
            Math.Max(1, Rounds), Against: null, ServerCpus: null, ClientCpus: null, ReportFolder: "", Earlier: null, Conditions: []);
        IReadOnlyList<Experiment> known = SuiteExperiments.Create(SuiteSize.Standard, settings);
        Experiments = json["experiments"]!.AsArray()
            .Select(found => Read(found!.AsObject(), known.First(experiment => experiment.Name == (string?)found["name"])))
            .ToArray();
    }

    /// <summary>The results of each experiment in the file.</summary>
    public IReadOnlyList<ExperimentResult> Experiments { get; }

    /// <summary>How often each run was made.</summary>
    public int Rounds { get; }

    /// <summary>When the suite began.</summary>
    public DateTime StartedAt =>
        DateTime.Parse((string)_json["started_at"]!, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal);

    /// <summary>How long the suite took.</summary>
    public TimeSpan Duration => TimeSpan.FromSeconds((double)_json["duration_s"]!);

    /// <summary>The machine in one line.</summary>
    public string Machine => SuiteText.Machine(_json["machine"]!.AsObject());

    /// <summary>Every problem, with its run.</summary>
    public IReadOnlyList<string> Problems => _json["problems"]!.AsArray().Select(static problem => (string)problem!).ToArray();

    /// <summary>Reads a file.</summary>
    /// <exception cref="RunFailedException">There is no such file, or it is no <c>results.json</c>.</exception>
    public static async Task<StoryResults> ReadAsync(string path)
    {
        try
        {
            return Parse(await File.ReadAllTextAsync(path));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or JsonException or InvalidOperationException
            or NullReferenceException or FormatException)
        {
            throw new RunFailedException($"'{path}' is not a results.json of the suite: {e.Message}");
        }
    }

    /// <summary>Reads the text of a file.</summary>
    public static StoryResults Parse(string text) => new(JsonNode.Parse(text)!.AsObject());

    /// <summary>The results of one experiment; <see langword="null"/> when the file does not have it.</summary>
    public ExperimentResult? Find(string experiment) => Experiments.FirstOrDefault(result => result.Experiment.Name == experiment);

    /// <summary>The file without the rows of single seconds, so that it is small enough for a repository.</summary>
    public string FormatSmall()
    {
        var copy = (JsonObject)_json.DeepClone();
        foreach (JsonObject report in Runs(copy).SelectMany(static run => run["reports"]!.AsArray()).OfType<JsonObject>())
        {
            foreach (string key in s_left)
            {
                report.Remove(key);
            }
        }

        return copy.ToJsonString(s_compact) + "\n";
    }

    private IEnumerable<JsonObject> Runs() => Runs(_json);

    private static IEnumerable<JsonObject> Runs(JsonObject json) =>
        json["experiments"]!.AsArray()
            .SelectMany(static experiment => experiment!["runs"]!.AsArray())
            .Select(static run => run!.AsObject());

    private static ExperimentResult Read(JsonObject found, Experiment known)
    {
        RunResult[] runs = found["runs"]!.AsArray().Select(static run => Read(run!.AsObject())).ToArray();
        return new ExperimentResult(known with { Runs = runs.Select(static run => run.Run).ToArray() }, runs);
    }

    private static RunResult Read(JsonObject run)
    {
        bool[] good = run["good"]!.AsArray().Select(static flag => (bool)flag!).ToArray();
        return new RunResult(
            new ExperimentRun((string)run["subject"]!, (string)run["case"]!, []),
            run["reports"]!.AsArray()
                .Select((report, round) => new RoundResult(report as JsonObject, good[round] ? null : "not good"))
                .ToArray());
    }
}
