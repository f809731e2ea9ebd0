namespace PlayChat.Packaging.Tests;

/// <summary>The one rule of layout that <c>dotnet format</c> does not check.</summary>
public sealed class LineLengthTests
{
    private const int MaxColumns = 140;

    [Fact]
    public void No_line_of_code_is_longer_than_140_columns()
    {
        string[] files = [.. new[] { "src", "bench", "tests", "tools", "samples", "templates" }.SelectMany(FindSources)];

        string[] problems = [.. files.SelectMany(FindLongLines)];

        Assert.Contains(files, static file => file.EndsWith("LineLengthTests.cs", StringComparison.Ordinal));
        Assert.True(problems.Length == 0, $"Lines have at most {MaxColumns} columns:\n{string.Join('\n', problems)}");
    }

    [Fact]
    public void A_long_line_is_named_with_its_file_and_number()
    {
        using var folder = new TemporaryDirectory();
        string file = folder.Combine("Wide.cs");
        File.WriteAllLines(file, [new string('a', MaxColumns), new string('b', MaxColumns + 1)]);

        Assert.EndsWith("Wide.cs(2): 141 columns", Assert.Single(FindLongLines(file)), StringComparison.Ordinal);
    }

    /// <summary>The source files below a folder, but not what a build has written there.</summary>
    private static IEnumerable<string> FindSources(string folder) =>
        from file in Directory.EnumerateFiles(Repository.PathOf(folder), "*.cs", SearchOption.AllDirectories)
        let relative = Path.GetRelativePath(Repository.PathOf("."), file)
        where !relative.Split(Path.DirectorySeparatorChar).Any(static part => part is "bin" or "obj")
        select file;

    private static IEnumerable<string> FindLongLines(string file) =>
        File.ReadLines(file)
            .Select((line, index) => (Columns: line.EnumerateRunes().Count(), Number: index + 1))
            .Where(static line => line.Columns > MaxColumns)
            .Select(line => $"{Path.GetRelativePath(Repository.PathOf("."), file)}({line.Number}): {line.Columns} columns");
}
