using System.Text.RegularExpressions;

namespace PlayChat.Packaging.Tests;

/// <summary>The map of the code: a maintainer finds the room for every change in it.</summary>
public sealed partial class ContributingTests
{
    private const int MaxLinesOfArchitecture = 250;

    [Fact]
    public void The_architecture_fits_on_250_lines() =>
        Assert.InRange(Repository.Read("ARCHITECTURE.md").TrimEnd('\n').Split('\n').Length, 1, MaxLinesOfArchitecture);

    [Fact]
    public void The_table_of_changes_names_every_folder_of_the_sources()
    {
        string[] folders = [.. FindFolders()];

        Assert.Contains("PlayChat.Core/Rooms", folders, StringComparer.Ordinal);
        Assert.Equal([], folders.Except(FindNamed(), StringComparer.Ordinal), StringComparer.Ordinal);
    }

    [Fact]
    public void The_table_of_changes_names_no_folder_that_is_gone()
    {
        string[] gone =
        [
            .. FindNamed().Where(static path => path.StartsWith("PlayChat.", StringComparison.Ordinal))
                .Where(static path => !Directory.Exists(Repository.PathOf("src/" + path))),
        ];

        Assert.Equal([], gone, StringComparer.Ordinal);
    }

    /// <summary>The folders of the projects, and the projects that have none.</summary>
    private static IEnumerable<string> FindFolders()
    {
        foreach (string project in Directory.GetDirectories(Repository.PathOf("src")))
        {
            string name = Path.GetFileName(project);
            string[] folders =
            [
                .. Directory.GetDirectories(project)
                    .Where(static folder => Path.GetFileName(folder) is not ("bin" or "obj"))
                    .Where(static folder => Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories).Any()),
            ];
            if (folders.Length == 0 || name == "Shared")
            {
                yield return name;
                continue;
            }

            foreach (string folder in folders)
            {
                yield return $"{name}/{Path.GetFileName(folder)}";
            }
        }
    }

    /// <summary>What stands in backticks in the table.</summary>
    private static IEnumerable<string> FindNamed()
    {
        string document = Repository.Read("CONTRIBUTING.md");
        int start = document.IndexOf("## Where a change belongs", StringComparison.Ordinal);
        string table = document[start..document.IndexOf("\n## ", start + 1, StringComparison.Ordinal)];
        return InBackticks().Matches(table).Select(static match => match.Groups["path"].Value);
    }

    [GeneratedRegex("`(?<path>[^`]+)`", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex InBackticks();
}
