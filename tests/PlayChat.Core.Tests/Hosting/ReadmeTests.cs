using System.Runtime.CompilerServices;

namespace PlayChat.Core.Tests.Hosting;

public sealed class ReadmeTests
{
    private const string Fence = "```";

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void A_program_of_the_README_is_the_one_that_the_compiler_has_read(int number)
    {
        string compiled = Flatten(Read("ReadmeSamples.cs"));

        string[] parts = Programs()[number].Split("\n\n").Select(Flatten).ToArray();

        Assert.True(parts.Length > 1);
        Assert.All(parts[0].Split('\n'), line => Assert.Contains(line, compiled.Split('\n'), StringComparer.Ordinal));
        Assert.All(parts[1..], part => Assert.Contains(part, compiled, StringComparison.Ordinal));
    }

    [Fact]
    public void The_README_has_no_other_program() => Assert.Equal(2, Programs().Length);

    [Fact]
    public void The_first_program_is_the_one_that_the_tests_run_on_a_free_port()
    {
        string[] parts = Programs()[0].Replace(":7000", ":0", StringComparison.Ordinal).Split("\n\n");

        string server = Flatten(parts[1][..parts[1].IndexOf("await server.RunAsync", StringComparison.Ordinal)]);

        Assert.Contains(server, Flatten(Read("ServerTests.cs")), StringComparison.Ordinal);
    }

    private static string[] Programs() => Read("../../../README.md")
        .Split(Fence + "csharp\n")[1..]
        .Select(static text => text[..text.IndexOf(Fence, StringComparison.Ordinal)])
        .ToArray();

    // A method's body is indented, a program is not.
    private static string Flatten(string text) =>
        string.Join('\n', text.Split('\n').Select(static line => line.Trim()).Where(static line => line.Length > 0));

    private static string Read(string path) =>
        File.ReadAllText(Path.Combine(Path.GetDirectoryName(ThisFile())!, path)).ReplaceLineEndings("\n");

    private static string ThisFile([CallerFilePath] string path = "") => path;
}
