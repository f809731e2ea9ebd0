using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Harness;

/// <summary>Runs of the load generator, and its documentation.</summary>
internal static partial class BenchmarkRun
{
    // Maps by name or by place, whose keys are explained where they stand.
    private static readonly string[] s_leaves = ["machine"];

    /// <summary>Runs a load against a server.</summary>
    /// <param name="port">The server's, or a proxy's.</param>
    /// <param name="exitCode">What it must be.</param>
    /// <param name="figures">The server's KPI file, if its figures are wanted.</param>
    /// <param name="arguments">The command, and its options.</param>
    public static async Task<JsonElement> AgainstAsync(int port, int exitCode, string? figures, params string[] arguments)
    {
        using var folder = new TemporaryDirectory();
        string[] server = ["--connect", string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{port}"),
            .. figures is null ? Array.Empty<string>() : ["--server-kpi", figures]];
        await using ProgramProcess benchmark = ProgramProcess.Start(
            ProgramFile.Find("PlayChat.Benchmark"), folder.Path, [.. arguments, .. server, "--json", "report.json"]);

        int code = await benchmark.WaitForExitAsync();

        Assert.True(code == exitCode, benchmark.Describe());
        return Read(folder.Combine("report.json"));
    }

    /// <summary>A report, as it stands in a file.</summary>
    public static JsonElement Read(string path)
    {
        using var document = JsonDocument.Parse(File.ReadAllText(path));
        return document.RootElement.Clone();
    }

    /// <summary>Every key of a report must be explained in bench/README.md.</summary>
    public static void AssertDocumented(JsonElement report)
    {
        string readme = Repository.Read("bench/README.md");
        HashSet<string> explained = CodeSpan().Matches(readme)
            .SelectMany(static match => Word().Matches(match.Value).Select(static word => word.Value))
            .ToHashSet(StringComparer.Ordinal);
        Assert.Equal("", string.Join(' ', Keys(report).Where(key => !explained.Contains(key))));
    }

    private static IEnumerable<string> Keys(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Object => element.EnumerateObject()
            .SelectMany(static property => (IEnumerable<string>)[property.Name,
                .. s_leaves.Contains(property.Name, StringComparer.Ordinal) ? [] : Keys(property.Value)]),
        JsonValueKind.Array => element.EnumerateArray().Take(1).SelectMany(Keys),
        _ => [],
    };

    [GeneratedRegex("`[^`\n]+`", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex CodeSpan();

    [GeneratedRegex("[a-z][a-z0-9_]*", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Word();
}
