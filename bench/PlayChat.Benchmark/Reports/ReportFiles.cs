using System.Text.Encodings.Web;

namespace PlayChat.Benchmark.Reports;

/// <summary>Reads and writes the files of reports; a failure is one line.</summary>
internal static class ReportFiles
{
    private static readonly JsonSerializerOptions s_readable =
        new() { WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    public static JsonObject Read(string path)
    {
        try
        {
            return ReportFigures.TryParse(File.ReadAllText(path)) ?? throw new UsageException($"'{path}' is no report.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"Cannot read '{path}': {e.Message}");
        }
    }

    public static Task WriteAsync(JsonObject report, string path) => WriteAsync(report.ToJsonString(s_readable) + "\n", path);

    /// <summary>Writes the report of experiments: <c>results.json</c> and <c>index.html</c>.</summary>
    public static async Task WriteAsync(SuiteReport report, string folder)
    {
        await WriteAsync(report.ToJson(), Path.Combine(folder, "results.json"));
        await WriteAsync(HtmlPage.Format(report), Path.Combine(folder, "index.html"));
    }

    /// <summary>Writes a page for a repository: README.md, charts, report.html, results.json without single seconds.</summary>
    public static async Task WritePageAsync(SuiteReport report, string folder)
    {
        (string text, IReadOnlyDictionary<string, string> charts) = MarkdownPage.Format(report);
        await WriteAsync(text, Path.Combine(folder, "README.md"));
        await WriteAsync(report.ToJson(small: true), Path.Combine(folder, "results.json"));
        await WriteAsync(HtmlPage.Format(report), Path.Combine(folder, "report.html"));
        foreach ((string name, string chart) in charts)
        {
            await WriteAsync(chart, Path.Combine(folder, name));
        }
    }

    private static async Task WriteAsync(string text, string path)
    {
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
            await File.WriteAllTextAsync(path, text);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new RunFailedException($"Cannot write the report to '{path}': {e.Message}");
        }
    }
}
