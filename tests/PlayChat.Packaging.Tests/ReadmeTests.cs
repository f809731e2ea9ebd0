namespace PlayChat.Packaging.Tests;

public sealed class ReadmeTests
{
    private const string Fence = "```";

    [Theory]
    [InlineData("PlayChat.Core")]
    [InlineData("PlayChat.Protocol")]
    [InlineData("PlayChat.Storage")]
    [InlineData("PlayChat.Testing")]
    public void The_program_of_a_package_README_is_the_one_that_the_compiler_has_read(string package)
    {
        string compiled = Flatten(Repository.Read("tests/PlayChat.Packaging.Tests/ReadmeSamples.cs"));
        string program = Repository.Read($"src/{package}/README.md").Split(Fence + "csharp\n")[1].Split(Fence)[0];

        string[] parts = [.. program.Split("\n\n").Select(Flatten)];

        Assert.All(parts[0].Split('\n'), line => Assert.Contains(line, compiled.Split('\n'), StringComparer.Ordinal)); // its usings
        Assert.All(parts[1..], part => Assert.Contains(part, compiled, StringComparison.Ordinal));
    }

    // A method's body is indented, a program is not.
    private static string Flatten(string text) =>
        string.Join('\n', text.Split('\n').Select(static line => line.Trim()).Where(static line => line.Length > 0));
}
