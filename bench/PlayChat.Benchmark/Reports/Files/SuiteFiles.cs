using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Reports.Html;
using PlayChat.Benchmark.Reports.Suite;

namespace PlayChat.Benchmark.Reports.Files;

/// <summary>The folder of a suite's report: one file for each of its forms.</summary>
internal static class SuiteFiles
{
    /// <summary>Writes all forms, over those that are there.</summary>
    /// <param name="report">The report.</param>
    /// <param name="folder">An existing folder.</param>
    /// <exception cref="RunFailedException">The system does not let a file be written.</exception>
    public static async Task WriteAsync(SuiteReport report, string folder)
    {
        try
        {
            await File.WriteAllTextAsync(Path.Combine(folder, "results.json"), SuiteJson.Format(report));
            await File.WriteAllTextAsync(Path.Combine(folder, "results.md"), SuiteMarkdown.Format(report));
            await File.WriteAllTextAsync(Path.Combine(folder, "index.html"), HtmlReport.Format(report));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new RunFailedException($"Cannot write the report to '{folder}': {e.Message}");
        }
    }
}
