using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Reports.Story;

namespace PlayChat.Benchmark.Reports.Files;

/// <summary>The folder of a page about a suite's results.</summary>
internal static class StoryFiles
{
    /// <summary>
    /// Writes the page as README.md, its charts, the results without the rows of single seconds, and a copy of the report.
    /// </summary>
    /// <param name="page">The page.</param>
    /// <param name="results">The results that it is about.</param>
    /// <param name="report">The folder of the suite's report.</param>
    /// <param name="folder">Where the files go. It is created when it is missing.</param>
    /// <exception cref="RunFailedException">The system does not let a file be read or written.</exception>
    public static async Task WriteAsync(StoryPage page, StoryResults results, string report, string folder)
    {
        try
        {
            Directory.CreateDirectory(folder);
            await File.WriteAllTextAsync(Path.Combine(folder, "README.md"), page.Text);
            await File.WriteAllTextAsync(Path.Combine(folder, "results.json"), results.FormatSmall());
            File.Copy(Path.Combine(report, "index.html"), Path.Combine(folder, "report.html"), overwrite: true);
            foreach ((string name, string chart) in page.Charts)
            {
                await File.WriteAllTextAsync(Path.Combine(folder, name), chart);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new RunFailedException($"Cannot write the page to '{folder}': {e.Message}");
        }
    }
}
