using System.Globalization;

namespace PlayChat.TestReport;

/// <summary>What a reader of a test run wants to know, the most important last.</summary>
internal sealed class Report(IReadOnlyList<TestResult> tests)
{
    public void Write(TextWriter output, int slowest)
    {
        IEnumerable<(string Class, double Seconds)> classes = tests.GroupBy(static test => test.Class, StringComparer.Ordinal)
            .Select(static group => (group.Key, group.Sum(static test => test.Duration.TotalSeconds)))
            .OrderByDescending(static item => item.Item2)
            .Take(slowest);
        foreach ((string name, double seconds) in classes)
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{seconds,7:F1} s  {name}"));
        }

        foreach (TestResult test in tests.Where(static test => test.Outcome == Outcome.Failed))
        {
            output.WriteLine($"FAILED: {test.Name}");
            output.WriteLine(test.Message);
        }

        output.WriteLine(Summarize());
    }

    private string Summarize()
    {
        string counts = string.Create(
            CultureInfo.InvariantCulture,
            $"{Count(Outcome.Passed)} passed, {Count(Outcome.Failed)} failed, {Count(Outcome.Skipped)} skipped");
        IEnumerable<string> reasons = tests.Where(static test => test.Outcome == Outcome.Skipped)
            .GroupBy(static test => test.Message, StringComparer.Ordinal)
            .OrderByDescending(static group => group.Count())
            .Select(static group => string.Create(CultureInfo.InvariantCulture, $"{group.Count()} × {group.Key.TrimEnd('.')}"));
        string reason = string.Join("; ", reasons);
        return reason.Length == 0 ? counts : $"{counts}: {reason}";
    }

    private int Count(Outcome outcome) => tests.Count(test => test.Outcome == outcome);
}
