using System.Globalization;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Failures;

namespace PlayChat.Benchmark.Experiments;

/// <summary>The result of a run in one round.</summary>
/// <param name="Report">Its report; <see langword="null"/> when it failed or did not start.</param>
/// <param name="Problem">The problem in one line, if any.</param>
/// <param name="Interrupted">Whether it was interrupted or did not start. Its figures are incomplete, which is not a problem.</param>
internal sealed record RoundResult(JsonObject? Report, string? Problem, bool Interrupted = false)
{
    // The counts of a report that must be 0 where it has them.
    private static readonly string[] s_faults =
        ["lost", "duplicated", "reordered", "corrupted", "errors", "incomplete", "gating_violation", "refused"];

    /// <summary>A round that did not start.</summary>
    public static RoundResult NotReached { get; } = new(Report: null, Problem: null, Interrupted: true);

    /// <summary>Whether its figures may be compared.</summary>
    public bool IsGood => Report is not null && Problem is null && !Interrupted;

    /// <summary>Judges a run.</summary>
    /// <param name="outcome">Its outcome.</param>
    /// <param name="interrupted">Whether the run was asked to end.</param>
    public static RoundResult Of(ChildOutcome outcome, bool interrupted)
    {
        JsonObject? report = outcome.Report;
        bool partial = interrupted && Flag(report, "interrupted") != false;
        bool wrong = partial
            ? report is not null && outcome.ExitCode is not (0 or ExitCodes.Interrupted)
            : report is null || outcome.ExitCode != 0 || Flag(report, "valid") == false;
        return new RoundResult(report, wrong ? Reason(outcome) : null, partial);
    }

    private static string Reason(ChildOutcome outcome)
    {
        JsonObject? report = outcome.Report;
        string[] counts = s_faults.Where(key => Number(report, key) > 0).Select(key => $"{report![key]!.ToJsonString()} {key}").ToArray();
        string?[] reasons =
        [
            counts.Length == 0 ? null : string.Join(", ", counts),
            Number(report, "accepted") < Number(report, "connections")
                ? $"{report!["accepted"]!.ToJsonString()} of {report["connections"]!.ToJsonString()} connections accepted"
                : null,
            Flag(report, "drain_timeout") == true ? "the drain timed out" : null,
            Flag(report, "valid") == false ? report!["invalid_because"]?.ToString() ?? "not valid" : null,
            outcome.Complaint,
        ];
        string text = string.Join("; ", reasons.OfType<string>());
        return text.Length > 0 ? text
            : outcome.ExitCode == 0 ? "it wrote no report"
            : string.Create(CultureInfo.InvariantCulture, $"it ended with exit code {outcome.ExitCode}");
    }

    private static double? Number(JsonObject? report, string key) =>
        report?[key] is JsonValue value && value.TryGetValue(out double number) ? number : null;

    private static bool? Flag(JsonObject? report, string key) =>
        report?[key] is JsonValue value && value.TryGetValue(out bool flag) ? flag : null;
}
