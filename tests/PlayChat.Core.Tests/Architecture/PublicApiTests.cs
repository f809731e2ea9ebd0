using System.Runtime.CompilerServices;

namespace PlayChat.Core.Tests.Architecture;

public sealed class PublicApiTests
{
    private const string UpdateVariable = "PLAYCHAT_UPDATE_PUBLIC_API";

    [Fact]
    public void The_public_surface_is_the_one_that_is_listed()
    {
        string path = Path.Combine(Path.GetDirectoryName(ThisFile())!, "PublicApi.txt");
        string[] actual = [.. PublicApi.Describe(typeof(CloseReason).Assembly)];
        if (Environment.GetEnvironmentVariable(UpdateVariable) == "1")
        {
            File.WriteAllText(path, string.Join('\n', actual) + "\n");
        }

        string[] listed = File.ReadAllLines(path);

        string[] difference = [.. listed.Except(actual, StringComparer.Ordinal).Select(static line => "- " + line), .. actual.Except(listed, StringComparer.Ordinal).Select(static line => "+ " + line)];
        Assert.True(
            difference.Length == 0,
            $"The public surface of PlayChat.Core is not what {path} lists:\n{string.Join('\n', difference)}\n"
                + $"If that is intended, run this test once with {UpdateVariable}=1 and commit the file.");
    }

    private static string ThisFile([CallerFilePath] string path = "") => path;
}
