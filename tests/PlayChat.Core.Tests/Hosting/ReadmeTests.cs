using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

public sealed class ReadmeTests
{
    private const string Fence = "```";

    [Fact]
    public void The_echo_server_is_the_one_that_the_tests_run_on_a_free_port()
    {
        string[] parts = Assert.Single(Programs(), static program => program.Contains("LengthPrefixed", StringComparison.Ordinal))
            .Replace(":7000", ":0", StringComparison.Ordinal)
            .Split("\n\n");

        string server = Flatten(parts[1][..parts[1].IndexOf("await server.RunAsync", StringComparison.Ordinal)]);

        Assert.Contains(server, Flatten(Repository.Read("tests/PlayChat.Core.Tests/Hosting/ServerTests.cs")), StringComparison.Ordinal);
    }

    private static string[] Programs() => Repository.Read("src/PlayChat.Core/README.md")
        .Split(Fence + "csharp\n")[1..]
        .Select(static text => text[..text.IndexOf(Fence, StringComparison.Ordinal)])
        .ToArray();

    // A method's body is indented, a program is not.
    private static string Flatten(string text) =>
        string.Join('\n', text.Split('\n').Select(static line => line.Trim()).Where(static line => line.Length > 0));
}
